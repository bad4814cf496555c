import { unwrap } from '../../../services/kit/peer.ts';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import type { RunsApp } from '../../../services/runs/service.ts';
import type { SpacesApp } from '../../../services/spaces/service.ts';
import { overSend } from './over-send.ts';
import type { Send } from './send.ts';

/** How agents stand, who is here, and what runs did: nothing of it changes anything. */
export function activityCalls(send: Send) {
  const ofRuns = overSend<RunsApp>(send).api.workspaces[':workspaceId'];
  const { presence } = overSend<SpacesApp>(send).api.workspaces[':workspaceId'];
  const { runs } = ofRuns;
  const page = (workspaceId: string, id: string, after: string) =>
    unwrap(runs[':id'].page.$get({ param: { workspaceId, id }, query: { after } }));
  return {
    liveStates: async (workspaceId: string) =>
      (await unwrap(ofRuns['live-states'].$get({ param: { workspaceId } }))).items,
    presence: async (workspaceId: string) => (await unwrap(presence.$get({ param: { workspaceId } }))).items,
    // The client's own type ends after a few levels of what is nested without end.
    runTree: async (workspaceId: string, id: string) =>
      (await unwrap(runs[':id'].tree.$get({ param: { workspaceId, id } }))) as unknown as TreeNode,
    runPrompt: (workspaceId: string, id: string) =>
      unwrap(runs[':id'].prompt.$get({ param: { workspaceId, id } })),
    /** The whole run: all of its pages as one. */
    runPage: async (workspaceId: string, id: string) => {
      const whole = await page(workspaceId, id, '0');
      for (let { next } = whole; next !== null; ) {
        const more = await page(workspaceId, id, next);
        whole.steps.push(...more.steps);
        next = more.next;
      }
      return { ...whole, next: null };
    },
  };
}

type Calls = ReturnType<typeof activityCalls>;
type ItemOf<Call extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Call>>[number];
/** As they come over the wire. */
export type LiveStateItem = ItemOf<Calls['liveStates']>;
export type PresenceEntry = ItemOf<Calls['presence']>;
export type RunPage = Awaited<ReturnType<Calls['runPage']>>;
export type RunPrompts = Awaited<ReturnType<Calls['runPrompt']>>;
