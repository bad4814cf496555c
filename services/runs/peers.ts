import type { Actor } from '../kit/actor.ts';
import { type Peer, unwrap } from '../kit/peer.ts';
import { faultOfResponse } from '../kit/problem.ts';
import type { OrchestrationApp } from '../orchestration/service.ts';
import type { SpacesApp } from '../spaces/service.ts';
import type { ProposeOrchestration, SubmitPlan } from './peers/orchestration-port.ts';
import type { ReviewsPort } from './peers/reviews-port.ts';
import type { MessageFacts, SpacesPort } from './peers/spaces-port.ts';

/** How this service reads of spaces; what agents do is done in their own names. */
const SELF: Actor = 'service:runs';
const PAGE = '1000';

/** The calls of `SpacesPort` over the spaces service's typed client. */
export function spacesPort(peer: Peer<SpacesApp>): SpacesPort {
  const of = (actor: Actor) => peer(actor).api.workspaces[':workspaceId'];
  const own = of(SELF);
  return {
    isOwner: async (actor) => (await unwrap(peer(actor).api.me.$get())).member?.role === 'owner',
    people: async () => {
      const { items, former } = await unwrap(peer(SELF).api.members.$get());
      return [
        ...items.map(({ id, name }) => ({ id, name, isFormer: false })),
        ...former.map(({ id, name }) => ({ id, name, isFormer: true })),
      ];
    },
    agent: (workspaceId, id) => unwrap(own.agents[':id'].$get({ param: { workspaceId, id } })),
    agents: async (workspaceId) => {
      const param = { workspaceId };
      return (await unwrap(own.agents.$get({ param, query: { limit: PAGE } }))).items;
    },
    space: (workspaceId, id) => unwrap(own.spaces[':id'].$get({ param: { workspaceId, id } })),
    conversation: (workspaceId, id) => unwrap(own.conversations[':id'].$get({ param: { workspaceId, id } })),
    message: (workspaceId, id) => unwrap(own.messages[':id'].$get({ param: { workspaceId, id } })),
    recentMessages: (workspaceId, id, limit) => recentMessages(own, workspaceId, id, limit),
    attachment: (workspaceId, id) => unwrap(own.attachments[':id'].$get({ param: { workspaceId, id } })),
    attachmentBytes: (workspaceId, id) => attachmentBytes(own, workspaceId, id),
    postMessage: async (actor, workspaceId, id, json) => {
      const post = of(actor).conversations[':id'].messages.$post({ param: { workspaceId, id }, json });
      const { message, notices } = await unwrap(post);
      return { id: message.id, notices };
    },
    ...ticketCalls(of),
    ...approvalCalls(of),
  };
}

type WorkspaceClient = ReturnType<Peer<SpacesApp>>['api']['workspaces'][':workspaceId'];
type WorkspaceClientOf = (actor: Actor) => WorkspaceClient;

async function recentMessages(
  client: WorkspaceClient,
  workspaceId: string,
  id: string,
  limit: number,
): Promise<MessageFacts[]> {
  const query = { latest: String(limit) };
  return (await unwrap(client.conversations[':id'].messages.$get({ param: { workspaceId, id }, query })))
    .items;
}

async function attachmentBytes(
  client: WorkspaceClient,
  workspaceId: string,
  id: string,
): Promise<Uint8Array> {
  const answer = await client.attachments[':id'].content.$get({ param: { workspaceId, id } });
  if (!answer.ok) throw await faultOfResponse(answer as unknown as Response);
  return new Uint8Array(await answer.arrayBuffer());
}

function ticketCalls(of: WorkspaceClientOf) {
  const own = of(SELF);
  return {
    tickets: async (workspaceId, filter) => {
      const query = { ...definedOf(filter), limit: PAGE };
      return (await unwrap(own.tickets.$get({ param: { workspaceId }, query }))).items;
    },
    ticket: (workspaceId, id) => unwrap(own.tickets[':id'].$get({ param: { workspaceId, id } })),
    createTicket: (actor, workspaceId, ticket) =>
      unwrap(of(actor).tickets.$post({ param: { workspaceId }, json: definedOf(ticket) })),
    updateTicket: (actor, workspaceId, id, change) =>
      unwrap(of(actor).tickets[':id'].$patch({ param: { workspaceId, id }, json: definedOf(change) })),
    beginDelegation: async (workspaceId, id, number) => {
      const param = { workspaceId, id, number: String(number) };
      await unwrap(own.tickets[':id'].delegations[':number'].begin.$post({ param }));
    },
    endDelegation: async (workspaceId, id, number, json) => {
      const param = { workspaceId, id, number: String(number) };
      await unwrap(own.tickets[':id'].delegations[':number'].end.$post({ param, json }));
    },
    commentTicket: async (actor, workspaceId, id, json) => {
      await unwrap(of(actor).tickets[':id'].comments.$post({ param: { workspaceId, id }, json }));
    },
  } satisfies Partial<SpacesPort>;
}

function approvalCalls(of: WorkspaceClientOf) {
  const own = of(SELF);
  return {
    requestApproval: (actor, workspaceId, json) =>
      unwrap(of(actor).approvals.$post({ param: { workspaceId }, json })),
    approval: (workspaceId, id) => unwrap(own.approvals[':id'].$get({ param: { workspaceId, id } })),
    supersede: async (workspaceId, id) => {
      await unwrap(own.approvals[':id'].supersede.$post({ param: { workspaceId, id } }));
    },
    supersedeOfRun: async (workspaceId, runId, { planExit } = { planExit: false }) => {
      const json = { runId, planExit };
      await unwrap(own.approvals['supersede-of-run'].$post({ param: { workspaceId }, json }));
    },
    guardrails: (workspaceId, { agentId, spaceId }) => {
      const query = definedOf({ agentId: agentId ?? undefined, spaceId: spaceId ?? undefined });
      return unwrap(own.guardrails.$get({ param: { workspaceId }, query }));
    },
    leavePlanMode: (actor, workspaceId, id, json) =>
      unwrap(of(actor).spaces[':id']['plan-exit'].$post({ param: { workspaceId, id }, json })),
  } satisfies Partial<SpacesPort>;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the fields that are undefined, which JSON and queries leave out anyway. */
export function definedOf<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Defined<T>;
}

/** The calls of `ReviewsPort` over the same client. */
export function reviewsPort(peer: Peer<SpacesApp>): ReviewsPort {
  const of = (actor: Actor) => peer(actor).api.workspaces[':workspaceId'].reviews;
  const own = of(SELF);
  return {
    ofSpace: async (workspaceId, spaceId) => {
      const found = await unwrap(own.$get({ param: { workspaceId }, query: { spaceId, limit: '1' } }));
      return found.items[0] ?? null;
    },
    review: (workspaceId, id) => unwrap(own[':id'].$get({ param: { workspaceId, id } })),
    addFinding: (actor, workspaceId, id, { anchor, ...finding }) => {
      const json = { ...finding, anchor: anchor && definedOf(anchor) };
      return unwrap(of(actor)[':id'].findings.$post({ param: { workspaceId, id }, json }));
    },
    confirmFinding: (actor, workspaceId, id, findingId, onBehalfOf) => {
      const param = { workspaceId, id, findingId };
      return unwrap(of(actor)[':id'].findings[':findingId'].confirm.$post({ param, json: { onBehalfOf } }));
    },
    finalize: (actor, workspaceId, id, json) =>
      unwrap(of(actor)[':id'].finalize.$post({ param: { workspaceId, id }, json })),
  };
}

export function proposePort(peer: Peer<OrchestrationApp>): ProposeOrchestration {
  return ({ workspaceId, actor, ...origin }, proposal, orchestrationId) => {
    const json = { proposal, ...origin, orchestrationId };
    return unwrap(
      peer(actor).api.workspaces[':workspaceId'].orchestrations.$post({ param: { workspaceId }, json }),
    );
  };
}

export function planPort(peer: Peer<OrchestrationApp>): SubmitPlan {
  return ({ workspaceId, actor, ...origin }, plan, planId) => {
    const json = { ...plan, ...origin, planId };
    return unwrap(peer(actor).api.workspaces[':workspaceId'].plans.$post({ param: { workspaceId }, json }));
  };
}
