import type { QueryKey } from '@tanstack/react-query';
import { keys, queryClient } from '../api/queries.ts';
import { lookAtMoving } from './moving.ts';
import { onWorkspaceEvent, type WorkspaceEvent } from './workspace-feed.ts';

/** What an event makes stale. Messages are not here: conversations take them in one by one. */
const STALE: Record<string, (ws: string, event: WorkspaceEvent) => QueryKey[]> = {
  space: (ws) => [keys.spaces(ws)],
  conversation: (ws) => [['conversations', ws]],
  approval: (ws, { subject }) => [keys.inbox(ws), keys.approval(ws, subject)],
  agent: (ws) => [keys.agents(ws)],
  orchestration: (ws, { subject }) => [keys.orchestration(ws, subject), keys.orchestrations(ws)],
  pipeline: (ws) => [keys.orchestrations(ws)],
  run: (ws, { subject }) => [keys.run(ws, subject), ['run-trees', ws], keys.liveStates(ws)],
};

/** Many events of one moment make one look. */
const TOGETHER_MS = 50;

/** Refreshes what events of the workspace make stale, until the result is called. */
export function keepFresh(workspaceId: string): () => void {
  let waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const stale = waiting;
    waiting = new Map();
    for (const queryKey of stale.values()) void queryClient.invalidateQueries({ queryKey });
  };
  const moving = lookAtMoving(workspaceId);
  const stop = onWorkspaceEvent((event) => {
    moving.take(event);
    const noun = event.type.split('.')[0] ?? '';
    for (const key of STALE[noun]?.(workspaceId, event) ?? []) waiting.set(JSON.stringify(key), key);
    timer ??= waiting.size > 0 ? setTimeout(flush, TOGETHER_MS) : undefined;
  });
  return () => {
    stop();
    moving.stop();
    clearTimeout(timer);
  };
}
