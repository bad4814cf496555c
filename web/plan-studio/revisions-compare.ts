import type { Proposal, ProposedTicket } from '../../core-wasm/core.ts';
import type { Revision } from '../../services/orchestration/orchestrations/schema.ts';
import { TICKET_FIELDS, type TicketField, ticketKeyOf } from './draft-edits.ts';
import type { PlanNode } from './plan-view.ts';

/** What one revision has that another has not, in the order of the newer one, then what it no longer has. */
export interface TicketChange {
  key: string;
  title: string;
  change: 'added' | 'removed' | 'changed';
  /** Of a changed one. */
  fields: { field: TicketField; before: string; after: string }[];
}

/** Parts beside the sub-tickets that only an agent's revision changes. */
type OtherPart = 'goal' | 'roles' | 'research' | 'discussion' | 'synthesis' | 'budgetMicros';
const OTHER_PARTS: readonly OtherPart[] = [
  'goal',
  'roles',
  'research',
  'discussion',
  'synthesis',
  'budgetMicros',
];

export interface Comparison {
  tickets: TicketChange[];
  others: OtherPart[];
  counts: { added: number; removed: number; changed: number };
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

export function compare(before: Proposal, after: Proposal): Comparison {
  const old = new Map(before.tickets.map((ticket) => [ticket.key, ticket]));
  const fresh = new Set(after.tickets.map(({ key }) => key));
  const titles = titlesOf(before, after);
  const tickets = [
    ...after.tickets.flatMap((ticket) => ticketChange(old.get(ticket.key), ticket, titles)),
    ...before.tickets.filter(({ key }) => !fresh.has(key)).map((ticket) => whole(ticket, 'removed')),
  ];
  const counted = (kind: TicketChange['change']) => tickets.filter(({ change }) => change === kind).length;
  return {
    tickets,
    others: OTHER_PARTS.filter((part) => !isSame(before[part], after[part])),
    counts: { added: counted('added'), removed: counted('removed'), changed: counted('changed') },
  };
}

const whole = ({ key, title }: ProposedTicket, change: 'added' | 'removed'): TicketChange => ({
  ...{ key, title, change },
  fields: [],
});

type Titles = ReadonlyMap<string, string>;

const titlesOf = (...proposals: Proposal[]): Titles =>
  new Map(proposals.flatMap(({ tickets }) => tickets.map(({ key, title }) => [key, title] as const)));

function ticketChange(
  before: ProposedTicket | undefined,
  after: ProposedTicket,
  titles: Titles,
): TicketChange[] {
  if (!before) return [whole(after, 'added')];
  // People know a sub-ticket by its title.
  const text = (ticket: ProposedTicket, field: TicketField) =>
    fieldText(field === 'needs' ? ticket.needs.map((key) => titles.get(key) ?? key) : ticket[field]);
  const fields = TICKET_FIELDS.filter((field) => !isSame(before[field], after[field])).map((field) => ({
    ...{ field, before: text(before, field), after: text(after, field) },
  }));
  return fields.length > 0 ? [{ key: after.key, title: after.title, change: 'changed', fields }] : [];
}

/** A field's value as text, to be read or compared by words. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value, null, 2);
}

type Written = Pick<Revision, 'revision' | 'author' | 'proposal'>;

/** What came with revisions, one after the other, by who wrote it; of those that are not there, nothing is known. */
export function cameWith(
  revisions: readonly Written[],
  wanted: readonly number[],
): (Omit<Comparison, 'counts'> & { author: string })[] {
  const byNumber = new Map(revisions.map((one) => [one.revision, one]));
  const authors = new Map<string, Omit<Comparison, 'counts'>>();
  for (const number of wanted) {
    const [before, after] = [byNumber.get(number - 1), byNumber.get(number)];
    if (!before || !after) continue;
    const { tickets, others } = compare(before.proposal, after.proposal);
    const known = authors.get(after.author) ?? { tickets: [], others: [] };
    const isNew = (key: string) => !tickets.some((ticket) => ticket.key === key);
    authors.set(after.author, {
      tickets: [...known.tickets.filter(({ key }) => isNew(key)), ...tickets],
      others: [...new Set([...known.others, ...others])],
    });
  }
  return [...authors].map(([author, came]) => ({ author, ...came }));
}

/** Whether two revisions say the same of a node, its needs aside: sub-tickets by all fields, the others by what they show. */
export function isSameNode(before: Proposal, after: Proposal) {
  const comparison = compare(before, after);
  const changed = new Set(
    comparison.tickets.flatMap(({ key, change, fields }) =>
      change === 'changed' && fields.some(({ field }) => field !== 'needs') ? [key] : [],
    ),
  );
  const others = new Set<string>(comparison.others);
  return (_old: PlanNode, node: PlanNode): boolean => {
    const key = ticketKeyOf(node.key);
    if (key !== null) return !changed.has(key);
    const part = node.kind === 'position' ? 'discussion' : node.kind;
    return !others.has(part);
  };
}
