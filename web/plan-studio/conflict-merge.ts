import type { Proposal, ProposedTicket } from '../../core-wasm/core.ts';
import { deleteTicket, editTicket, TICKET_FIELDS, type TicketField, ticketOf } from './draft-edits.ts';

/** One thing that I changed, beside what the newer revision says of it. */
export interface MyChange {
  /** `<sub-ticket>/<field>`: what a choice is kept under. */
  id: string;
  ticketKey: string;
  /** The title to show, mine. */
  title: string;
  field: TicketField | 'deleted';
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /**
   * `free`: they left it alone. `both`: they changed it too, to something else. `gone`: they deleted the sub-ticket, so that
   * it cannot be changed any more.
   */
  clash: 'free' | 'both' | 'gone';
}

export type Choice = 'mine' | 'theirs';

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What I changed since `base` and a newer revision does not say by itself, sub-ticket by sub-ticket and field by field. What
 * only they changed is theirs and not listed.
 */
export function myChanges(base: Proposal, mine: Proposal, theirs: Proposal): MyChange[] {
  const now = byKey(mine);
  const newest = byKey(theirs);
  return base.tickets.flatMap((before) => {
    const ours = now.get(before.key);
    const other = newest.get(before.key);
    if (!ours) return other ? [deletion(before, other)] : [];
    return fieldChanges(before, ours, other);
  });
}

const byKey = ({ tickets }: Proposal) => new Map(tickets.map((ticket) => [ticket.key, ticket]));

function deletion(before: ProposedTicket, other: ProposedTicket): MyChange {
  const { key: ticketKey, title } = before;
  const clash = isSame(before, other) ? 'free' : 'both';
  return {
    ...{ id: `${ticketKey}/deleted`, ticketKey, title, field: 'deleted', clash },
    ...{ base: before, mine: null, theirs: other },
  };
}

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
  const kept = left.tickets.length > 0 ? left : theirs;
  const known = new Set(kept.tickets.map(({ key }) => key));
  return chosen.reduce((proposal, { ticketKey, field, mine }) => {
    if (field === 'deleted' || !ticketOf(proposal, ticketKey)) return proposal;
    const value = field === 'needs' ? (mine as string[]).filter((need) => known.has(need)) : mine;
    return editTicket(proposal, ticketKey, { [field]: value });
  }, kept);
}
