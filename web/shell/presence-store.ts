import { create } from 'zustand';
import type { PresenceChange, PresenceItem } from '../../services/spaces/presence/presence-list.ts';
import { openStream } from '../live/live.ts';

export type PersonHere = Extract<PresenceItem, { kind: 'person' }>;
export type AgentHere = Extract<PresenceItem, { kind: 'agent' }>;

/** Who follows the open workspace and what its agents are about; null until it is known. */
export const usePresence = create<{ items: readonly PresenceItem[] | null }>()(() => ({ items: null }));

/** Keeps `usePresence` true for a workspace, until the result is called. */
export function followPresence(ws: string): () => void {
  usePresence.setState({ items: null });
  return openStream(`/api/workspaces/${ws}/presence/stream`, {
    isEndless: true,
    onMessage(event, data) {
      if (event === 'snapshot') usePresence.setState({ items: (data as { items: PresenceItem[] }).items });
      else usePresence.setState(({ items }) => ({ items: changed(items ?? [], data as PresenceChange) }));
    },
  });
}

/** The list after a change, in the server's order: people as they came, then agents by name. */
export function changed(
  items: readonly PresenceItem[],
  { changed: news, gone }: PresenceChange,
): PresenceItem[] {
  const byActor = new Map(items.map((item) => [item.actor, item]));
  for (const actor of gone) byActor.delete(actor);
  for (const item of news) byActor.set(item.actor, item);
  return [...byActor.values()].sort(peopleThenAgents);
}

function peopleThenAgents(a: PresenceItem, b: PresenceItem): number {
  if (a.kind === 'person') return b.kind === 'person' ? a.since - b.since : -1;
  return b.kind === 'agent' ? a.name.localeCompare(b.name) : 1;
}

/** Null for an agent of which nothing is known now. */
export type ActivityState = NonNullable<AgentHere['activity']>['state'] | null;

export const isAtWork = (agent: AgentHere): boolean =>
  agent.activity?.state === 'thinking' || agent.activity?.state === 'runningTool';

/** The spaces in which an agent is at work. */
export function busySpaces(items: readonly PresenceItem[]): Set<string> {
  const busy = new Set<string>();
  for (const item of items) {
    if (item.kind !== 'agent' || item.activity === null || item.activity.state === 'neverRun') continue;
    for (const { state, spaceId } of [item.activity, ...item.also])
      if (spaceId !== null && (state === 'thinking' || state === 'runningTool')) busy.add(spaceId);
  }
  return busy;
}
