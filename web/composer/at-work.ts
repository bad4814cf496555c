import { useMemo } from 'react';
import type { PresenceItem } from '../../services/spaces/presence/presence-list.ts';
import { usePresence } from '../shell/presence-store.ts';

type AgentHere = Extract<PresenceItem, { kind: 'agent' }>;

/** A run that goes on in the conversation. */
export interface AtWork {
  runId: string;
  name: string;
}

const UNDER_WAY: ReadonlySet<string> = new Set(['thinking', 'runningTool', 'waitingForApproval']);

/** The agents that are at work in a conversation, or wait there for a word. */
export function useAtWork(conversationId: string): readonly AtWork[] {
  const items = usePresence((state) => state.items);
  return useMemo(
    () =>
      (items ?? []).filter((item) => item.kind === 'agent').flatMap((agent) => workOf(agent, conversationId)),
    [items, conversationId],
  );
}

function workOf({ name, activity, also }: AgentHere, conversationId: string): AtWork[] {
  const runs = activity === null || activity.state === 'neverRun' ? also : [activity, ...also];
  return runs
    .filter((run) => run.conversationId === conversationId && UNDER_WAY.has(run.state))
    .map(({ runId }) => ({ runId, name }));
}
