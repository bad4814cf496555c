import { useEffect } from 'react';
import { create } from 'zustand';
import type { Approval, ApprovalStatus, Decision } from '../../services/spaces/approvals/schema.ts';
import { keys, queryClient } from '../api/queries.ts';
import { onWorkspaceEvent, type WorkspaceEvent } from '../live/workspace-feed.ts';
import type { WaitingApproval } from './queue.ts';

/** How long a decided item stays in the list, so that its outcome can be read. */
const STAY_MS = 6_000;

interface SettledState {
  /** Decided while this screen was up, in the list for a moment longer. */
  byId: Readonly<Record<string, WaitingApproval>>;
}

export const useSettled = create<SettledState>()(() => ({ byId: {} }));

/** Takes in what became of an item that is in the list. */
export function settle(item: WaitingApproval, outcome: Approval): void {
  const { agentName, spaceName } = item;
  const isNew = useSettled.getState().byId[item.id] === undefined;
  useSettled.setState(({ byId }) => ({ byId: { ...byId, [item.id]: { ...outcome, agentName, spaceName } } }));
  if (isNew) setTimeout(leave, STAY_MS, item.id);
}

function leave(id: string): void {
  useSettled.setState(({ byId: { [id]: _gone, ...rest } }) => ({ byId: rest }));
}

/** Shows what others decide, in the inbox or elsewhere, while the component is up. */
export function useFollowDecisions(ws: string, items: readonly WaitingApproval[]): void {
  useForgetting(ws);
  useEffect(
    () =>
      onWorkspaceEvent((event) => {
        const item = items.find(({ id }) => id === event.subject);
        const outcome = item && decidedBy(item, event);
        if (!item || !outcome) return;
        queryClient.setQueryData(keys.approval(ws, item.id), outcome);
        settle(item, outcome);
      }),
    [ws, items],
  );
}

/** What was decided a moment ago is of no interest to another workspace, or to whoever comes back later. */
function useForgetting(ws: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: forgotten with the workspace
  useEffect(() => () => useSettled.setState({ byId: {} }), [ws]);
}

interface ClosedData {
  status: ApprovalStatus;
  decision: Decision | null;
  grant: Approval['grant'];
}

/** The approval as an event leaves it; null when the event decides nothing. */
function decidedBy(item: WaitingApproval, { type, actor, at, data }: WorkspaceEvent): Approval | null {
  const { agentName, spaceName, ...approval } = item;
  if (type === 'approval.superseded') return { ...approval, status: 'superseded' };
  if (type !== 'approval.decided') return null;
  const { status, decision, grant } = data as unknown as ClosedData;
  return { ...approval, status, decision, grant, decidedBy: actor as Approval['decidedBy'], decidedAt: at };
}
