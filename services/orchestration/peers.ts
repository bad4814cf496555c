import type { Actor } from '../kit/actor.ts';
import { hasFaultCode } from '../kit/fault.ts';
import { type Peer, unwrap } from '../kit/peer.ts';
import type { RunsApp } from '../runs/service.ts';
import type { SpacesApp } from '../spaces/service.ts';
import type {
  AgentFacts,
  RunFacts,
  RunsOf,
  RunsPort,
  SpacesOf,
  SpacesPort,
  Spending,
  TicketFacts,
} from './ports.ts';

const SELF: Actor = 'service:orchestration';
const PAGE = '500';
/** Ids that go into the address of one request. */
const SCOPES_AT_ONCE = 200;

type SpacesClient = ReturnType<Peer<SpacesApp>>['api']['workspaces'][':workspaceId'];
type RunsClient = ReturnType<Peer<RunsApp>>['api']['workspaces'][':workspaceId'];
interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** The spaces port over the spaces service's typed client. */
export function spacesPort(peer: Peer<SpacesApp>): SpacesOf {
  return (workspaceId) => {
    const as = (actor: Actor) => peer(actor).api.workspaces[':workspaceId'];
    const own = as(SELF);
    return {
      ...staffCalls(own, workspaceId),
      ...roomCalls(own, as, workspaceId),
      ...ticketCalls(own, workspaceId),
      ...approvalCalls(own, as, workspaceId),
    };
  };
}

function staffCalls(own: SpacesClient, workspaceId: string) {
  const param = { workspaceId };
  return {
    listAgents: () =>
      allPages<AgentFacts>((query) => unwrap(own.agents.$get({ param, query: { ...query, limit: PAGE } }))),
    hireAgent: (json) => unwrap(own.agents.$post({ param, json })),
    createProject: (json) => unwrap(own.projects.$post({ param, json })),
    createTeam: (json) => unwrap(own.teams.$post({ param, json })),
  } satisfies Partial<SpacesPort>;
}

function roomCalls(own: SpacesClient, as: (actor: Actor) => SpacesClient, workspaceId: string) {
  const param = { workspaceId };
  return {
    getSpace: (id) => unwrap(own.spaces[':id'].$get({ param: { workspaceId, id } })),
    createSpace: (json) => unwrap(own.spaces.$post({ param, json })),
    setSpaceMode: async (id, json) => {
      await unwrap(own.spaces[':id'].$patch({ param: { workspaceId, id }, json }));
    },
    createConversation: (id, json) =>
      unwrap(own.spaces[':id'].conversations.$post({ param: { workspaceId, id }, json })),
    getConversation: (id) => unwrap(own.conversations[':id'].$get({ param: { workspaceId, id } })),
    postMessage: async (actor, id, json) => {
      const posted = as(actor).conversations[':id'].messages.$post({ param: { workspaceId, id }, json });
      return (await unwrap(posted)).message;
    },
    patchMessage: async (id, json) => {
      await unwrap(own.messages[':id'].$patch({ param: { workspaceId, id }, json }));
    },
  } satisfies Partial<SpacesPort>;
}

function ticketCalls(own: SpacesClient, workspaceId: string) {
  const param = { workspaceId };
  return {
    createTicket: (json) => unwrap(own.tickets.$post({ param, json })),
    getTicket: (id) => unwrap(own.tickets[':id'].$get({ param: { workspaceId, id } })),
    listTickets: ({ parentId }) =>
      allPages<TicketFacts>((query) =>
        unwrap(own.tickets.$get({ param, query: { ...query, parentId, limit: PAGE } })),
      ),
    patchTicket: async (id, json) => {
      await unwrap(own.tickets[':id'].$patch({ param: { workspaceId, id }, json }));
    },
    commentTicket: async (id, json) => {
      await unwrap(own.tickets[':id'].comments.$post({ param: { workspaceId, id }, json }));
    },
  } satisfies Partial<SpacesPort>;
}

function approvalCalls(own: SpacesClient, as: (actor: Actor) => SpacesClient, workspaceId: string) {
  return {
    createApproval: (json) => unwrap(own.approvals.$post({ param: { workspaceId }, json })),
    getApproval: (id) => unwrap(own.approvals[':id'].$get({ param: { workspaceId, id } })),
    decideApproval: (person, id, json) =>
      unwrap(as(person).approvals[':id'].decision.$post({ param: { workspaceId, id }, json })),
    supersedeApproval: (id) =>
      unlessAlready('already_decided', async () => {
        await unwrap(own.approvals[':id'].supersede.$post({ param: { workspaceId, id } }));
      }),
  } satisfies Partial<SpacesPort>;
}

/** The runs port over the runs service's typed client. */
export function runsPort(peer: Peer<RunsApp>): RunsOf {
  return (workspaceId) => {
    const own = peer(SELF).api.workspaces[':workspaceId'];
    return { ...runCalls(own, workspaceId), ...worktreeCalls(own, workspaceId) };
  };
}

function runCalls(own: RunsClient, workspaceId: string) {
  const param = { workspaceId };
  return {
    createRun: (json) => unwrap(own.runs.$post({ param, json })),
    getRun: (id) => unwrap(own.runs[':id'].$get({ param: { workspaceId, id } })),
    standings: async (budgetScope) =>
      (await unwrap(own.runs.standings.$get({ param, query: { budgetScope } }))).items,
    spendings: async (scopes) => {
      const found: Spending[] = [];
      for (let i = 0; i < scopes.length; i += SCOPES_AT_ONCE) {
        const targets = scopes.slice(i, i + SCOPES_AT_ONCE).join(',');
        found.push(...(await unwrap(own.runs.spendings.$get({ param, query: { targets } }))).items);
      }
      return found;
    },
    listPausedRuns: () =>
      allPages<RunFacts>((query) =>
        unwrap(own.runs.$get({ param, query: { ...query, status: 'paused', limit: PAGE } })),
      ),
    resumeRun: (id) =>
      unlessAlready('wrong_status', async () => {
        await unwrap(own.runs[':id'].resume.$post({ param: { workspaceId, id } }));
      }),
    cancelRuns: async (budgetScope) => {
      await unwrap(own.runs.cancel.$post({ param, json: { budgetScope } }));
    },
    histories: async (agentIds) =>
      agentIds.length === 0
        ? {}
        : unwrap(own.histories.$get({ param, query: { agentIds: agentIds.join(',') } })),
    putBudget: async (scope, capMicros) => {
      await unwrap(
        own.budgets[':target'].$put({ param: { workspaceId, target: scope }, json: { capMicros } }),
      );
    },
  } satisfies Partial<RunsPort>;
}

function worktreeCalls(own: RunsClient, workspaceId: string) {
  const param = { workspaceId };
  return {
    inspectRepository: (path) => unwrap(own.repositories.inspect.$post({ param, json: { path } })),
    commitWorktree: (json) => unwrap(own.worktrees.commit.$post({ param, json })),
    integrate: (json) => unwrap(own.integrations.$post({ param, json })),
    closeWorktrees: async (budgetScope) => {
      await unwrap(own.worktrees.close.$post({ param, json: { budgetScope } }));
    },
  } satisfies Partial<RunsPort>;
}

async function allPages<Item>(page: (query: { after?: string }) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const found: Page<Item> = await page(after === undefined ? {} : { after });
    items.push(...found.items);
    after = found.next;
  }
  return items;
}

/** What was to be reached is there already, or somebody was faster: either way nothing is left to do. */
async function unlessAlready(
  code: 'already_decided' | 'wrong_status',
  call: () => Promise<void>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!hasFaultCode(error, code)) throw error;
  }
}
