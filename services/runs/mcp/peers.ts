import type { Actor } from '../../kit/actor.ts';
import { type Peer, unwrap } from '../../kit/peer.ts';
import type { OrchestrationApp } from '../../orchestration/service.ts';
import type { SpacesApp } from '../../spaces/service.ts';
import { definedOf } from '../peers.ts';
import type { RunsApp } from '../service.ts';
import type { Operator, OperatorOf } from './operator.ts';

/** The services a person uses, this one among them. */
export interface OperatorPeers {
  spaces: Peer<SpacesApp>;
  runs: Peer<RunsApp>;
  orchestration: Peer<OrchestrationApp>;
}

/** Calls every service in the actor's name, as that actor's own requests would. */
export function operatorOf(peers: OperatorPeers): OperatorOf {
  return (actor, workspaceId) => ({
    ...spacesCalls(peers, actor, workspaceId),
    ...runsCalls(peers, actor, workspaceId),
    orchestrations: (query) => {
      const { orchestrations } = peers.orchestration(actor).api.workspaces[':workspaceId'];
      return unwrap(orchestrations.$get({ param: { workspaceId }, query: queryOf(query) }));
    },
  });
}

function spacesCalls(peers: OperatorPeers, actor: Actor, workspaceId: string) {
  const { inbox, approvals, agents, spaces, conversations } =
    peers.spaces(actor).api.workspaces[':workspaceId'];
  const here = { workspaceId };
  return {
    inbox: (limit) => unwrap(inbox.$get({ param: here, query: { limit: String(limit) } })),
    approvals: (query) => unwrap(approvals.$get({ param: here, query: queryOf(query) })),
    approval: (id) => unwrap(approvals[':id'].$get({ param: { ...here, id } })),
    decide: (id, json) =>
      unwrap(approvals[':id'].decision.$post({ param: { ...here, id }, json: definedOf(json) })),
    agents: async () => (await unwrap(agents.$get({ param: here, query: { limit: '1000' } }))).items,
    spaces: (query) => unwrap(spaces.$get({ param: here, query: queryOf(query) })),
    space: (id) => unwrap(spaces[':id'].$get({ param: { ...here, id } })),
    createSpace: (json) => unwrap(spaces.$post({ param: here, json: definedOf(json) })),
    postMessage: (id, json) =>
      unwrap(conversations[':id'].messages.$post({ param: { ...here, id }, json: definedOf(json) })),
  } satisfies Partial<Operator>;
}

function runsCalls(peers: OperatorPeers, actor: Actor, workspaceId: string) {
  const { runs, policy } = peers.runs(actor).api.workspaces[':workspaceId'];
  return {
    runs: (query) => unwrap(runs.$get({ param: { workspaceId }, query: queryOf(query) })),
    run: (id) => unwrap(runs[':id'].$get({ param: { workspaceId, id } })),
    explainPolicy: (json) => unwrap(policy.explain.$post({ param: { workspaceId }, json: definedOf(json) })),
    cancelRun: (id) => unwrap(runs[':id'].cancel.$post({ param: { workspaceId, id } })),
  } satisfies Partial<Operator>;
}

function queryOf<Query extends { limit?: number | undefined }>({ limit, ...rest }: Query) {
  return { ...definedOf(rest), ...(limit === undefined ? {} : { limit: String(limit) }) };
}
