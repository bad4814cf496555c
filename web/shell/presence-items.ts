import type { PresenceChange, PresenceItem } from '../../services/spaces/presence/presence-list.ts';

export type PersonHere = Extract<PresenceItem, { kind: 'person' }>;
export type AgentHere = Extract<PresenceItem, { kind: 'agent' }>;

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
