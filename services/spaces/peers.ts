import type { Actor } from '../kit/actor.ts';
import { type Peer, unwrap } from '../kit/peer.ts';
import { faultOfResponse } from '../kit/problem.ts';
import { readSse } from '../kit/read-sse.ts';
import type { RunsApp } from '../runs/service.ts';
import type { ActivitiesPort, AgentActivity } from './presence/activities-port.ts';

const SELF: Actor = 'service:spaces';

/** The calls of `ActivitiesPort` over the runs service's typed client. */
export function activitiesPort(peer: Peer<RunsApp>): ActivitiesPort {
  const { activities } = peer(SELF).api.workspaces[':workspaceId'];
  return {
    read: async (workspaceId) => (await unwrap(activities.$get({ param: { workspaceId } }))).items,
    async *follow(workspaceId, signal) {
      const options = { init: { signal } };
      const response = await activities.stream.$get({ param: { workspaceId } }, options);
      if (!response.ok || !response.body) throw await faultOfResponse(response as unknown as Response);
      for await (const { data } of readSse(response.body)) {
        yield (JSON.parse(data) as { items: AgentActivity[] }).items;
      }
    },
  };
}
