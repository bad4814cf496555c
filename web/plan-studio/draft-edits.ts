import type { Proposal, ProposedTicket } from '../../core-wasm/core.ts';

/** The fields of a sub-ticket that a person may change before approval; deleting it is the sixth change. */
export type TicketFields = Pick<ProposedTicket, 'title' | 'description' | 'role' | 'needs' | 'outputSchema'>;
export type TicketField = keyof TicketFields;
export const TICKET_FIELDS: readonly TicketField[] = [
  'title',
  'description',
  'role',
  'needs',
  'outputSchema',
];

const TICKET = 'ticket/';

/** The sub-ticket's key behind a step's key, or null for a step that is no sub-ticket. */
export const ticketKeyOf = (stepKey: string): string | null =>
  stepKey.startsWith(TICKET) ? stepKey.slice(TICKET.length) : null;
export const stepKeyOf = (ticketKey: string): string => `${TICKET}${ticketKey}`;

export const ticketOf = (proposal: Proposal, key: string): ProposedTicket | undefined =>
  proposal.tickets.find((ticket) => ticket.key === key);

/** The roles to choose from; one that a newer revision has no more is shown as long as a sub-ticket names it. */
export function rolesFor({ roles }: Proposal, present: string | null): { key: string; title: string }[] {
  const isKnown = present === null || roles.some(({ key }) => key === present);
  return isKnown ? roles : [{ key: present, title: present }, ...roles];
}

/** The proposal with fields of one sub-ticket changed; every other sub-ticket stays the same object. */
export function editTicket(proposal: Proposal, key: string, change: Partial<TicketFields>): Proposal {
  return {
    ...proposal,
    tickets: proposal.tickets.map((ticket) => (ticket.key === key ? { ...ticket, ...change } : ticket)),
  };
}

/** The proposal without a sub-ticket, which nothing depends on any more either. */
export function deleteTicket(proposal: Proposal, key: string): Proposal {
  const tickets = proposal.tickets
    .filter((ticket) => ticket.key !== key)
    .map((ticket) => (ticket.needs.includes(key) ? withoutNeed(ticket, key) : ticket));
  return { ...proposal, tickets };
}

function withoutNeed(ticket: ProposedTicket, key: string): ProposedTicket {
  return { ...ticket, needs: ticket.needs.filter((need) => need !== key) };
}

/** The sub-tickets that depend on this one directly: what its deletion takes a dependency from. */
export const dependentsOf = (proposal: Proposal, key: string): ProposedTicket[] =>
  proposal.tickets.filter((ticket) => ticket.needs.includes(key));

/** Why `ticket` cannot come to depend on `need`; null when it can. The cycle's path ends where it begins. */
export type NeedRefusal = { kind: 'self' } | { kind: 'already' } | { kind: 'cycle'; path: string[] };

/** Judges every sub-ticket as a new dependency of one: a single walk along what depends on it. */
export function needRefusals(proposal: Proposal, key: string): Map<string, NeedRefusal> {
  const refusals = new Map<string, NeedRefusal>();
  for (const [reached, path] of pathsFrom(proposal, key)) {
    refusals.set(reached, { kind: 'cycle', path: [...path, key] });
  }
  for (const need of ticketOf(proposal, key)?.needs ?? []) refusals.set(need, { kind: 'already' });
  return refusals.set(key, { kind: 'self' });
}

/** What a sub-ticket would depend on without saying so, each with another one of its needs through which it does. */
export function impliedNeeds(proposal: Proposal, { needs }: ProposedTicket): Map<string, string> {
  return new Map(
    needs.flatMap((need) => {
      const paths = pathsFrom(proposal, need);
      const through = needs.find((other) => other !== need && paths.has(other));
      return through === undefined ? [] : [[need, through] as const];
    }),
  );
}

/** What depends on `key`, directly or not, each with a shortest path of keys from `key` to it. */
function pathsFrom({ tickets }: Proposal, key: string): Map<string, string[]> {
  const dependents = dependentsByKey(tickets);
  const paths = new Map([[key, [key]]]);
  for (const [at, path] of paths) {
    for (const next of dependents.get(at) ?? []) if (!paths.has(next)) paths.set(next, [...path, next]);
  }
  return paths;
}

function dependentsByKey(tickets: readonly ProposedTicket[]): Map<string, string[]> {
  const dependents = new Map<string, string[]>();
  for (const { key, needs } of tickets)
    for (const need of needs) dependents.set(need, [...(dependents.get(need) ?? []), key]);
  return dependents;
}

/** Whether sub-tickets depend on each other in a circle, so that some of them could never start. */
export function isCircular({ tickets }: Proposal): boolean {
  const known = new Set(tickets.map(({ key }) => key));
  const open = new Map(
    tickets.map(({ key, needs }) => [key, needs.filter((need) => known.has(need)).length]),
  );
  const dependents = dependentsByKey(tickets);
  const ready = tickets.filter(({ key }) => open.get(key) === 0).map(({ key }) => key);
  for (const key of ready) {
    for (const next of dependents.get(key) ?? []) {
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return ready.length < tickets.length;
}

/** The given sub-tickets and all that they depend on: the least part that can be approved with them. */
export function withNeeds({ tickets }: Proposal, keys: Iterable<string>): Set<string> {
  const needs = new Map(tickets.map((ticket) => [ticket.key, ticket.needs]));
  const closed = new Set(keys);
  for (const key of closed) for (const need of needs.get(key) ?? []) closed.add(need);
  return closed;
}

/** What is left of `chosen` when a sub-ticket is taken out, and with it all that depends on it. */
export function withoutDependents(proposal: Proposal, chosen: Iterable<string>, key: string): Set<string> {
  const gone = pathsFrom(proposal, key);
  return new Set([...chosen].filter((one) => !gone.has(one)));
}
