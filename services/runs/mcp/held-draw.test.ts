import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ACTOR_HEADER } from '../../kit/actor.ts';
import { agentActor } from '../runs/run.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';
import { RUN_HEADER } from './run-token.ts';

const COMMANDS = ['a', 'b'] as const;
type Command = (typeof COMMANDS)[number];

/** A client calls (under the command's one id, or a new one) and may wait; a person decides; a client leaves. */
type Step = { of: Command; isSame: boolean } | { yes: boolean; at: number } | { leaves: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ of: fc.constantFrom(...COMMANDS), isSame: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ yes: fc.constantFrom(true, true, false), at: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ leaves: fc.nat(5) }) },
);

interface Call {
  of: Command;
  /** What came back; nothing, when the client left. */
  answer: Promise<string>;
  leave(): void;
}

let bench: Bench;
let process: Process;
let agentId: string;
let used = 0;

beforeAll(async () => {
  const question = { tools: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  bench = await createBench({ name: 'draw', dialogues: [], otherwise: question });
  process = await bench.process();
  agentId = bench.spaces.addAgent('engineer').id;
});
afterAll(() => bench.close());

function call(run: Run, of: Command, callId: string, id: number): Call {
  const gone = new AbortController();
  const params = {
    name: 'run_command',
    arguments: { command: `echo ${of} >> made.txt # git push` },
    _meta: { 'claudecode/toolUseId': callId },
  };
  const request = new Request(`http://test/api/workspaces/${WORKSPACE}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      [ACTOR_HEADER]: agentActor(agentId),
      [RUN_HEADER]: run.id,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    signal: gone.signal,
  });
  const response = Promise.resolve(process.service.app.fetch(request));
  return {
    of,
    answer: response.then((answered) => answered.text()).catch(() => ''),
    leave: () => gone.abort(),
  };
}

const toolEvents = async (run: Run, state: string) =>
  (await bench.events('run.tool')).filter(({ subject, data }) => subject === run.id && data.state === state);

/** The call once it waits for a person, or is answered. */
async function begun(run: Run, of: Command, callId: string, index: number): Promise<Call> {
  const before = (await toolEvents(run, 'held')).length;
  const made = call(run, of, callId, index);
  let isAnswered = false;
  void made.answer.then(() => (isAnswered = true));
  const isHeld = async () => (await toolEvents(run, 'held')).length > before;
  await until(async () => isAnswered || (await isHeld()), Boolean);
  return made;
}

/** What the run's calls have asked for, in order. */
const asked = (run: Run) =>
  [...bench.spaces.approvals.values()].filter(
    ({ kind, request }) => kind === 'action' && request.runId === run.id,
  );
const commandOf = ({ arguments: args }: ReturnType<typeof asked>[number]) =>
  (args.input as { command: string }).command.split(' ')[1];

/** Decides one of the open requests; if a client waits for it, its call comes to an end. */
async function decide(run: Run, { yes, at }: { yes: boolean; at: number }): Promise<void> {
  const open = asked(run).filter(({ status }) => status === 'pending');
  const chosen = open[at % Math.max(1, open.length)];
  if (!chosen) return;
  const before = (await toolEvents(run, 'finished')).length;
  await bench.spaces.decide(chosen.id, yes ? 'approved' : 'refused');
  const isOver = async () => (await toolEvents(run, 'finished')).length > before;
  for (const giveUpAt = Date.now() + 400; Date.now() < giveUpAt && !(await isOver()); ) await Bun.sleep(10);
}

/** Every answer, with all that is still asked refused. */
function answersOf(run: Run, calls: readonly Call[]): Promise<string[] | null> {
  const all = Promise.all(calls.map(({ answer }) => answer));
  return until(
    async () => {
      const open = asked(run).filter(({ status }) => status === 'pending');
      for (const { id } of open) await bench.spaces.decide(id, 'refused');
      return Promise.race([all, Bun.sleep(20).then(() => null)]);
    },
    (answers) => answers !== null,
  );
}

async function play(steps: readonly Step[]): Promise<void> {
  const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
  const run = await process.settled((await process.createRun({ agentId, conversationId })).id);
  const calls: Call[] = [];
  for (const [index, one] of steps.entries()) {
    if ('of' in one) {
      const callId = `toolu_${one.isSame ? one.of : index}`;
      calls.push(await begun(run, one.of, callId, index));
    } else if ('yes' in one) await decide(run, one);
    else calls[one.leaves % Math.max(1, calls.length)]?.leave();
  }
  const answers = await answersOf(run, calls);
  const ref = { workspaceId: WORKSPACE, conversationId, repository: 'app' };
  const made = await process.runner.readFile(ref, { path: 'made.txt' }).catch(() => ({ text: '' }));
  for (const of of COMMANDS) {
    const times = made.text.split('\n').filter((line) => line === of).length;
    const allowed = asked(run).filter((one) => commandOf(one) === of && one.status === 'approved');
    expect(times).toBeLessThanOrEqual(allowed.length);
    const isDone = answers?.some((text, i) => calls[i]?.of === of && text.includes('"isError":false'));
    if (isDone) expect(times).toBeGreaterThan(0);
    used += times;
  }
}

test('whatever clients call, leave and call again, each yes is used once at most, and nothing runs without one', async () => {
  const steps = fc.array(step, { minLength: 4, maxLength: 14 });
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: 10 });
  expect(used).toBeGreaterThan(0);
}, 120_000);
