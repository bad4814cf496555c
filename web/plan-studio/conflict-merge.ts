import type { Proposal, ProposedTicket } from '../../core-wasm/core.ts';
import {
  deleteTicket,
  editTicket,
  isCircular,
  TICKET_FIELDS,
  type TicketField,
  ticketOf,
} from './draft-edits.ts';

/** One thing that I changed, beside what the newer revision says of it. */
export interface MyChange {
  /** `<sub-ticket>/<field>`: what a choice is kept under. */
  id: string;
  ticketKey: string;
  /** The title to show, mine. */
  title: string;
  /** `restored`: a sub-ticket that I deleted earlier and brought back since. */
  field: TicketField | 'deleted' | 'restored';
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /**
   * `free`: they left it alone. `both`: they changed it too, to something else, or what both of us changed makes no plan.
   * `gone`: they deleted the sub-ticket, so that it cannot be changed any more.
   */
  clash: 'free' | 'both' | 'gone';
}

export type Choice = 'mine' | 'theirs';

/** Texts are saved without the blanks around them, which are therefore no difference. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') return a.trim() === b.trim();
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * What I changed since `base` and a newer revision does not say by itself, sub-ticket by sub-ticket and field by field. What
 * only they changed is theirs and not listed.
 */
export function myChanges(base: Proposal, mine: Proposal, theirs: Proposal): MyChange[] {
  const now = byKey(mine);
  const newest = byKey(theirs);
  const known = byKey(base);
  const changes = base.tickets.flatMap((before) => {
    const ours = now.get(before.key);
    const other = newest.get(before.key);
    if (!ours) return other ? [deletion(base, theirs, before, other)] : [];
    return fieldChanges(before, ours, other);
  });
  const restored = mine.tickets.filter(({ key }) => !known.has(key) && !newest.has(key)).map(restoration);
  return withoutCircle(theirs, [...changes, ...restored]);
}

const byKey = ({ tickets }: Proposal) => new Map(tickets.map((ticket) => [ticket.key, ticket]));

/** A deletion is contradicted by whoever changed the sub-ticket, or came to need it. */
function deletion(base: Proposal, theirs: Proposal, before: ProposedTicket, other: ProposedTicket): MyChange {
  const { key: ticketKey, title } = before;
  const needing = ({ tickets }: Proposal) =>
    tickets.filter(({ needs }) => needs.includes(ticketKey)).map(({ key }) => key);
  const known = needing(base);
  const isNeeded = needing(theirs).some((key) => !known.includes(key));
  return {
    ...{ id: `${ticketKey}/deleted`, ticketKey, title, field: 'deleted' },
    ...{ base: before, mine: null, theirs: other },
    clash: isSame(before, other) && !isNeeded ? 'free' : 'both',
  };
}

const restoration = (mine: ProposedTicket): MyChange => ({
  ...{ id: `${mine.key}/restored`, ticketKey: mine.key, title: mine.title, field: 'restored' },
  ...{ base: null, mine, theirs: null, clash: 'free' },
});

function fieldChanges(
  before: ProposedTicket,
  mine: ProposedTicket,
  other: ProposedTicket | undefined,
): MyChange[] {
  const changed = TICKET_FIELDS.filter(
    (field) => !isSame(before[field], mine[field]) && !isSame(mine[field], other?.[field]),
  );
  return changed.map((field) => ({
    ...{ id: `${mine.key}/${field}`, ticketKey: mine.key, title: mine.title, field },
    ...{ base: before[field], mine: mine[field], theirs: other ? other[field] : null },
    clash: !other ? 'gone' : isSame(before[field], other[field]) ? 'free' : 'both',
  }));
}

/** Dependencies that each of us drew, of different sub-tickets, may run in a circle together: then the person has to say. */
function withoutCircle(theirs: Proposal, changes: MyChange[]): MyChange[] {
  if (!changes.some(({ field }) => field === 'needs')) return changes;
  if (!isCircular(reapply(theirs, changes, choiceOfAll(changes, 'mine')))) return changes;
  return changes.map((change) =>
    change.field === 'needs' && change.clash === 'free' ? { ...change, clash: 'both' } : change,
  );
}

/** Changes that nobody contradicts are mine; where both of us changed something, the person has to say. */
export const firstChoices = (changes: readonly MyChange[]): Record<string, Choice> =>
  Object.fromEntries(
    changes.flatMap(({ id, clash }) =>
      clash === 'both' ? [] : [[id, clash === 'free' ? 'mine' : 'theirs'] as const],
    ),
  );

/** One choice for all; what they deleted cannot be mine again. */
export const choiceOfAll = (changes: readonly MyChange[], choice: Choice): Record<string, Choice> =>
  Object.fromEntries(changes.map(({ id, clash }) => [id, clash === 'gone' ? 'theirs' : choice]));

/**
 * The newest revision with those of my changes on it that were chosen. Needs that name no sub-ticket any more are left out;
 * deletions that would leave no sub-ticket, since each of us deleted others, are not made.
 */
export function reapply(
  theirs: Proposal,
  changes: readonly MyChange[],
  choices: Readonly<Record<string, Choice>>,
): Proposal {
  const chosen = changes.filter(({ id, clash }) => clash !== 'gone' && choices[id] === 'mine');
  const left = chosen
    .filter(({ field }) => field === 'deleted')
    .reduce((proposal, { ticketKey }) => deleteTicket(proposal, ticketKey), theirs);
  const back = chosen.flatMap(({ field, mine }) => (field === 'restored' ? [mine as ProposedTicket] : []));
  const kept = left.tickets.length + back.length > 0 ? left : theirs;
  const whole = { ...kept, tickets: [...kept.tickets, ...back] };
  const known = new Set(whole.tickets.map(({ key }) => key));
  const withKnown = (needs: string[]) => needs.filter((need) => known.has(need));
  const edited = chosen.reduce((proposal, { ticketKey, field, mine }) => {
    if (field === 'deleted' || field === 'restored' || !ticketOf(proposal, ticketKey)) return proposal;
    return editTicket(proposal, ticketKey, {
      [field]: field === 'needs' ? withKnown(mine as string[]) : mine,
    });
  }, whole);
  return back.reduce(
    (proposal, { key, needs }) => editTicket(proposal, key, { needs: withKnown(needs) }),
    edited,
  );
}

/** A proposal with what it has in common with mine as I have it: the same objects, and texts with the blanks I am typing. */
export function asTyped(proposal: Proposal, mine: Proposal): Proposal {
  const typed = byKey(mine);
  const tickets = proposal.tickets.map((ticket) => {
    const own = typed.get(ticket.key);
    if (!own || own === ticket) return ticket;
    const same = TICKET_FIELDS.filter((field) => isSame(own[field], ticket[field]));
    if (same.length === TICKET_FIELDS.length && isSame(own.references, ticket.references)) return own;
    return { ...ticket, ...Object.fromEntries(same.map((field) => [field, own[field]])) };
  });
  return { ...proposal, tickets };
}

/** A newer revision with what I changed on it, other than what they changed too. */
export function rebased(base: Proposal, mine: Proposal, theirs: Proposal): Proposal {
  const changes = myChanges(base, mine, theirs);
  const choices = Object.fromEntries(
    changes.map(({ id, clash }) => [id, clash === 'free' ? 'mine' : 'theirs'] as const),
  );
  return asTyped(reapply(theirs, changes, choices), mine);
}
