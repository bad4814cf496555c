import { openStream } from './live.ts';

/** One change of a workspace, as the event log tells it. `subject` is the id of what changed. */
export interface WorkspaceEvent {
  seq: number;
  at: number;
  actor: string;
  type: string;
  subject: string;
  data: Record<string, unknown>;
}

type Listener = (event: WorkspaceEvent) => void;
const listeners = new Set<Listener>();

/** Calls `listener` with each event of the open workspace, in order, without loss or repeat, until the result is called. */
export function onWorkspaceEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Follows a workspace's events from `afterSeq`: what was read from the server before that event was known is older than what
 * follows. Whoever follows is attending, so that agents wait for a word instead of being refused.
 */
export function followWorkspace(workspaceId: string, afterSeq: number): () => void {
  let seq = afterSeq;
  return openStream(`/api/workspaces/${workspaceId}/events?follow=1&after=${afterSeq}`, {
    isEndless: true,
    onMessage(_event, data) {
      const event = data as WorkspaceEvent;
      if (event.seq <= seq) return;
      seq = event.seq;
      for (const listener of listeners) listener(event);
    },
  });
}
