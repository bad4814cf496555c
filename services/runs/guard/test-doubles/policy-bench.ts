import { createHmac } from 'node:crypto';
import { type CapabilityProfile, capabilityProfile, type Mode } from '../../../../core-wasm/core.ts';
import { silentLog } from '../../../kit/log.ts';
import type { ToolCall } from '../../harness/tool-port.ts';
import type { GuardrailFacts, NewMessage, SpacesPort } from '../../peers/spaces-port.ts';
import { TestApprovals } from '../../test-approvals.ts';
import { createRunTools, type RunToolsOptions } from '../../tools/run-tools.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';

export const SECRET = 'hunter2-hunter2';

export interface PolicyBench {
  policy: TestApprovals;
  cards: NewMessage[];
  /** Calls that really ran, in order. */
  executed: ToolCall[];
  port: ReturnType<typeof createRunTools>;
  /** Admits, and runs what is admitted. Says how it went: `ran`, what it waits for, or what the refusal says. */
  make(call: ToolCall): Promise<{ ran: true } | { waitingFor: string } | { refused: string }>;
}

export interface PolicyBenchOptions {
  profile: CapabilityProfile;
  tools: readonly Tool[];
  /** The mode that the space has now; the run's own unless told. */
  present?: Mode;
  guardrails?: Partial<GuardrailFacts>;
  policy?: TestApprovals;
  runId?: string;
  options?: Partial<RunToolsOptions>;
}

export function sign(text: string): string {
  return createHmac('sha256', 'a key').update(text).digest('hex');
}

/** The real tools port over rules and approvals in memory; what the tools do is only counted. */
export function createPolicyBench(given: PolicyBenchOptions): PolicyBench {
  const { profile, policy = new TestApprovals(async () => undefined), runId = 'run_1' } = given;
  const executed: ToolCall[] = [];
  const cards: NewMessage[] = [];
  const spaces = spacesOf(policy, cards);
  const port = createRunTools({
    tools: given.tools.map((tool) => counted(tool, executed)),
    profile,
    guardrails: async () => [
      {
        mode: given.present ?? profile.mode,
        ...{ autonomy: 'actWithApproval', whenNobody: 'refuse' },
        rules: policy.rulesFor('agt_1', 'spc_1'),
        ...given.guardrails,
      },
    ],
    ...{ waitsForPeople: false, secrets: [SECRET], dataDir: '/nowhere', log: silentLog },
    commandReader: () => Promise.reject(new Error('no command is read here')),
    sign: async (text) => sign(text),
    contextOf: ({ callId }) => contextOf(spaces, runId, callId),
    ...given.options,
  });
  const signal = new AbortController().signal;
  return {
    ...{ policy, cards, executed, port },
    async make(call) {
      const admission = await port.admit(call, signal);
      if (admission.kind === 'suspend') return { waitingFor: admission.waitingFor };
      if (admission.kind === 'refused') return { refused: admission.content };
      await port.execute(call, signal);
      return { ran: true };
    },
  };
}

function counted(tool: Tool, executed: ToolCall[]): Tool {
  return {
    ...tool,
    call: async ({ key }, input) => {
      executed.push({ callId: key, name: tool.name, input });
      return 'done';
    },
  };
}

function spacesOf(policy: TestApprovals, cards: NewMessage[]) {
  return {
    agents: async () => [],
    people: async () => [{ id: 'mem_ada', name: 'Ada', isFormer: false }],
    requestApproval: async (_, __, request) => structuredClone(await policy.request(request)),
    approval: async (_, id) => structuredClone(policy.find(id)),
    supersede: (_, id) => policy.supersede(id),
    postMessage: async (_, __, ___, message) => {
      cards.push(message);
      return { id: 'msg_1', notices: [] };
    },
  } satisfies Partial<SpacesPort>;
}

/** What admission looks at of a context; whatever else is asked of it is not there. */
function contextOf(spaces: Partial<SpacesPort>, runId: string, callId: string): ToolContext {
  const where = { workspaceId: 'ws_1', spaceId: 'spc_1', conversationId: 'cnv_1' };
  const facts = { ...where, runId, rootRunId: runId, actor: 'agent:agt_1', key: `${runId}/${callId}` };
  return { ...facts, spaces, worktreePath: () => '/worktree' } as Partial<ToolContext> as ToolContext;
}

export const chat = capabilityProfile('chat');
