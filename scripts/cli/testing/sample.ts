import type { Estimate, Proposal } from '../../../core-wasm/core.ts';
import type {
  OrchestrationDetail,
  StepRun,
  StepView,
} from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Run } from '../../../services/runs/runs/schema.ts';
import type { Approval } from '../client/client.ts';

/** Whole entities for tests, each field open to change. */

export const sampleProposal: Proposal = {
  goal: 'Add a health endpoint',
  roles: [
    { key: 'lead', title: 'Lead', agent: { existing: 'architect' } },
    {
      key: 'dev',
      title: 'Developer',
      agent: { hire: { name: 'fixer', persona: 'Careful.', skills: ['tdd'] } },
    },
  ],
  research: { role: 'lead', brief: 'Read the code.' },
  discussion: { question: 'Which path?' },
  tickets: [
    ticket('api', 'Write the route', 'dev', []),
    ticket('docs', 'Describe it', 'lead', ['api']),
    ticket('tests', 'Test it', 'dev', ['api', 'docs']),
  ],
  synthesis: { role: 'lead', brief: 'Bring it together.' },
  budgetMicros: 5_000_000,
};

function ticket(key: string, title: string, role: string, needs: string[]): Proposal['tickets'][number] {
  return { key, title, description: title, role, needs, outputSchema: null, references: [] };
}

export const unknownEstimate: Estimate = {
  nodes: [],
  cost: { sumOfQuartiles: null, simulated: null, atLeast: true },
  duration: { longestPath: null, simulated: null, atLeast: true },
  knownNodes: 0,
  unknownNodes: 7,
  criticalPath: [],
  draws: 0,
  seed: 1,
};

export const sampleStepRun: StepRun = {
  ...{ id: 'run_1', standing: 'working', atRunId: 'run_1', agentId: 'agt_1', agentName: 'engineer' },
  ...{ approvalId: null, errorFamily: null, summary: null, resumeAt: null, takenOverBy: null },
  ...{ pausedBy: null, since: null },
};

export function sampleStep(change: Partial<StepView> = {}): StepView {
  return {
    key: 'ticket/api',
    kind: 'ticket',
    title: 'Write the route',
    role: 'dev',
    agentId: 'agt_1',
    needs: ['start'],
    state: 'ready',
    attempt: 0,
    runId: null,
    run: null,
    ticketId: null,
    costMicros: null,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    startedAt: null,
    endedAt: null,
    error: null,
    ...change,
  };
}

export function sampleOrchestration(change: Partial<OrchestrationDetail> = {}): OrchestrationDetail {
  return {
    id: 'orc_0000000000000000000001',
    kind: 'orchestration',
    goal: sampleProposal.goal,
    status: 'proposed',
    revision: 1,
    approvedRevision: null,
    changesRequestedRevision: null,
    changesRequestedReason: null,
    ...{ deferred: [], leftOut: [] },
    spaceReturned: false,
    proposedBy: 'agent:agt_0000000000000000000001',
    requestedBy: 'person:mem_0000000000000000000001',
    runId: 'run_0000000000000000000001',
    spaceId: 'spc_0000000000000000000001',
    conversationId: 'cnv_0000000000000000000001',
    messageId: null,
    parentTicketId: null,
    approvalId: null,
    budgetApprovalId: null,
    projectId: null,
    teamId: null,
    pipelineRunId: null,
    discussionSpaceId: null,
    workSpaceId: null,
    budgetMicros: sampleProposal.budgetMicros,
    spentMicros: 0,
    costUnknown: false,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    failure: null,
    deliverable: null,
    gaps: null,
    branch: null,
    createdAt: 1_000,
    updatedAt: 1_000,
    version: 1,
    proposal: sampleProposal,
    estimate: unknownEstimate,
    steps: [],
    blastRadius: { tickets: {}, declared: 0, unknown: 3 },
    pipelineStatus: null,
    ...change,
  };
}

export function sampleRun(change: Partial<Run> = {}): Run {
  return {
    id: 'run_0000000000000000000001',
    agentId: 'agt_0000000000000000000001',
    agentName: 'ceo',
    spaceId: 'spc_0000000000000000000001',
    conversationId: 'cnv_0000000000000000000001',
    parentRunId: null,
    rootRunId: null,
    causeRunId: null,
    children: [],
    trigger: { kind: 'userMessage', id: 'msg_0000000000000000000001' },
    key: null,
    mode: 'orchestrate',
    profileVersion: 1,
    adapter: 'cc-harness',
    model: 'claude-sonnet-5-5',
    status: 'running',
    liveness: 'progressing',
    errorFamily: null,
    summary: null,
    output: null,
    tools: ['read_file', 'ask_user'],
    tokens: { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 },
    cacheReadShare: 0.375,
    costMicros: 1_500,
    sandbox: 'bubblewrap',
    branch: null,
    budgetStop: null,
    budgetScope: null,
    waitingFor: null,
    ...{ maxTurns: null, pauseRequestedBy: null, resumeAt: null, takenOverBy: null },
    createdAt: 1_000,
    startedAt: 1_000,
    endedAt: null,
    ...change,
  };
}

export function sampleApproval(change: Partial<Approval> = {}): Approval {
  return {
    id: 'apr_0000000000000000000001',
    kind: 'question',
    requester: 'agent:agt_0000000000000000000001',
    subject: 'Which port?',
    arguments: { question: 'Which port?' },
    digest: 'd1',
    status: 'pending',
    decidedBy: null,
    decidedAt: null,
    decision: null,
    grant: null,
    runId: 'run_0000000000000000000001',
    rootRunId: null,
    spaceId: 'spc_0000000000000000000001',
    conversationId: 'cnv_0000000000000000000001',
    createdAt: 1_000,
    ...change,
  };
}
