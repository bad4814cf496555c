import type { Member } from '../members/schema.ts';
import type { AgentActivity } from './activities-port.ts';
import type { ConnectedPerson } from './presence.ts';

/** A person who follows the workspace now. */
interface PersonPresence {
  actor: `person:${string}`;
  kind: 'person';
  memberId: string;
  name: string;
  role: Member['role'];
  since: number;
  /** Whether this person sits where requests can be decided. */
  decides: boolean;
  /** What this person looks at: `space:<id>`, `approval:<id>`, `orchestration:<id>/<ticket key>`; in the order of coming to it. */
  focus: string[];
}

/** An agent of the workspace; `activity` is null while that cannot be known. */
interface AgentPresence {
  actor: `agent:${string}`;
  kind: 'agent';
  name: string;
  title: string;
  activity: AgentActivity | { state: 'neverRun' } | null;
  /** Unfinished runs beside that of `activity`. */
  also: AgentActivity[];
}

export type PresenceItem = PersonPresence | AgentPresence;

/** What has become different for one who follows: items that are new or changed, and actors who are gone. */
export interface PresenceChange {
  changed: PresenceItem[];
  gone: PresenceItem['actor'][];
}

export interface PresenceFacts {
  people: readonly ConnectedPerson[];
  members: readonly Member[];
  agents: readonly { id: string; name: string; title: string }[];
  /** Null while runs cannot be reached. */
  activities: readonly AgentActivity[] | null;
}

/** People and agents in one list: people in the order in which they came, then agents by name. */
export function presenceList({ people, members, agents, activities }: PresenceFacts): PresenceItem[] {
  const memberOf = new Map(members.map((member) => [member.id, member]));
  const persons = people
    .toSorted((a, b) => a.since - b.since)
    .flatMap((person): PersonPresence[] => {
      const member = memberOf.get(person.memberId);
      if (!member) return [];
      const { name, role } = member;
      return [{ actor: `person:${person.memberId}`, kind: 'person', name, role, ...person }];
    });
  const ofAgent = Map.groupBy(activities ?? [], ({ agentId }) => agentId);
  const agentItems = agents
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ id, name, title }): AgentPresence => {
      const [first, ...also] = (ofAgent.get(id) ?? []).toSorted(mostTellingFirst);
      const activity = activities === null ? null : (first ?? { state: 'neverRun' as const });
      return { actor: `agent:${id}`, kind: 'agent', name, title, activity, also };
    });
  return [...persons, ...agentItems];
}

/** What an agent does now, then what it waits for; of two alike the later. */
function mostTellingFirst(a: AgentActivity, b: AgentActivity): number {
  return rankOf(a) - rankOf(b) || b.since - a.since || (a.runId < b.runId ? 1 : -1);
}

const WAITS_FOR_SUBAGENT = 'run_subagent';

function rankOf({ state, tool }: AgentActivity): number {
  if (state === 'waitingForApproval') return 1;
  if (state === 'paused') return 3;
  if (state === 'done') return 4;
  return tool === WAITS_FOR_SUBAGENT ? 2 : 0;
}

/** Null when nothing is different. @param seen the items by actor as JSON; brought up to date */
export function changeSince(
  seen: Map<string, string>,
  items: readonly PresenceItem[],
): PresenceChange | null {
  const changed = items.filter((item) => {
    const text = JSON.stringify(item);
    if (seen.get(item.actor) === text) return false;
    seen.set(item.actor, text);
    return true;
  });
  const here = new Set<string>(items.map(({ actor }) => actor));
  const gone = [...seen.keys()].filter((actor) => !here.has(actor)) as PresenceItem['actor'][];
  for (const actor of gone) seen.delete(actor);
  return changed.length + gone.length === 0 ? null : { changed, gone };
}
