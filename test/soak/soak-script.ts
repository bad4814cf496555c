import { turnIndexOf } from '../model/choose-turn.ts';
import { conversationOf, type MessagesRequest, textOf } from '../model/messages-request.ts';
import type { ModelScript, ScriptedFault, ScriptedTurn } from '../model/script.ts';
import { drawn, pickBy } from './random.ts';

/** What an agent is asked for, in the words of the message that asks. */
export const TASKS = ['say', 'look', 'write', 'command', 'children', 'ask'] as const;
export type Task = (typeof TASKS)[number];

/** Only commands of this soak sleep for so long, which tells them from every other process. */
export const ORPHAN_SECONDS = 10_000_000 + process.pid;

export const askFor = (n: number, task: Task): string => `SOAK ${n} ${task}`;

const LOOKS = 4;

/** The model of the soak: what it says follows from the request alone; `isCalm` ends its failures. */
export function soakScript(isCalm: () => boolean): ModelScript {
  return {
    name: 'soak',
    dialogues: [],
    otherwise: (request) => {
      const { n, task } = askedOf(request);
      const at = turnIndexOf(conversationOf(request));
      const fault = isCalm() ? null : faultOf(n, task, at);
      return {
        ...turnOf(n, task, at),
        ...(fault && { fault }),
        chunkDelayMs: drawn(n, at, 'chunk') < 0.1 ? 20 : 0,
      };
    },
  };
}

/** The last thing asked in the opening message: what was said before it is quoted there too. */
function askedOf(request: MessagesRequest): { n: string; task: Task | 'child' | 'other' } {
  const opening = textOf(conversationOf(request)[0]?.content);
  const found = [...opening.matchAll(/(SOAK|CHILD) (\S+) ?(say|look|write|command|children|ask)?/g)].at(-1);
  if (!found) return { n: '0', task: 'other' };
  const task = found[1] === 'CHILD' ? 'child' : ((found[3] as Task | undefined) ?? 'other');
  return { n: found[2]!, task };
}

function turnOf(n: string, task: Task | 'child' | 'other', at: number): ScriptedTurn {
  const steps: Record<typeof task, ScriptedTurn[]> = {
    say: [],
    other: [],
    child: [looks(n, 0), looks(n, 1)],
    look: Array.from({ length: LOOKS }, (_, i) => looks(n, i)),
    write: [
      { tools: [call('write_file', { path: `soak-${n}.txt`, content: `${n}\n`.repeat(200) })] },
      { tools: [call('edit_file', { path: `soak-${n}.txt`, oldText: `${n}\n${n}\n`, newText: 'x\n' })] },
      { tools: [call('git_commit', { message: `Note ${n}` })] },
    ],
    command: [
      {
        tools: [
          call('run_command', {
            command: `nohup setsid sleep ${ORPHAN_SECONDS} >/dev/null 2>&1 & sleep 3; echo ${n}`,
          }),
        ],
      },
    ],
    children: [
      {
        tools: [call('run_subagent', { task: `CHILD ${n}a` }), call('run_subagent', { task: `CHILD ${n}b` })],
      },
    ],
    ask: [{ tools: [call('ask_user', { question: `How much is ${n}?` })] }],
  };
  return steps[task][at] ?? { text: `Done with ${n} ${task}.`, thinking: 'It is done.' };
}

function looks(n: string, i: number): ScriptedTurn {
  const one = call('list_tickets', { parentId: `tkt_${n}_${i}` });
  return {
    text: `Looking ${i}.`,
    tools: [one, call('list_agents', {}), call('list_tickets', { parentId: `tkt_${n}_${i}_b` })],
  };
}

function call(name: string, input: unknown) {
  return { name, input };
}

const FAULTS: readonly ScriptedFault[] = [
  { kind: 'status', status: 529, errorType: 'overloaded_error', times: 2 },
  { kind: 'status', status: 429, errorType: 'rate_limit_error', retryAfterSeconds: 1 },
  { kind: 'overloaded_in_stream', afterEvents: 2 },
  { kind: 'cut', afterEvents: 3 },
  { kind: 'cut', afterEvents: 1, times: 2 },
  { kind: 'rubbish' },
  { kind: 'broken_tool_json' },
];
const FAULT_SHARE = 0.15;

function faultOf(n: string, task: string, at: number): ScriptedFault | null {
  return drawn(n, task, at, 'fault') < FAULT_SHARE ? pickBy(FAULTS, n, task, at, 'kind') : null;
}
