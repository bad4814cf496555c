import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { found } from '../not-found.ts';
import type { NewTicketLink, TicketLink } from './link-schema.ts';
import { findLink, insertLink, linksOfKind } from './link-store.ts';
import { findTicket } from './store.ts';

/**
 * Links two tickets; the same link again is the one there is. `relatesTo` says the same in both directions, so its
 * reverse is the same link too.
 * @throws Fault not_found, invalid_request naming the path of the circle that the link would close
 */
export async function linkTickets(
  database: Database,
  from: string,
  { kind, to }: NewTicketLink,
  actor: Actor,
  nowMs: number,
): Promise<TicketLink> {
  for (const id of [from, to]) found(await findTicket(database, id), 'ticket', id);
  const [start, end] = kind === 'relatesTo' && to < from ? [to, from] : [from, to];
  const link = { id: newId('lnk'), kind, from: start, to: end, createdAt: nowMs };
  if (await insertLink(database, link, actor)) return link;
  const present = await findLink(database, kind, start, end);
  if (present) return present;
  throw circle(link, await linksOfKind(database, kind));
}

function circle(link: TicketLink, links: readonly TicketLink[]): Fault {
  const path = [link.from, ...pathBetween(link.to, link.from, links)];
  return new Fault(
    'invalid_request',
    `The link ${link.kind} would close a circle: ${path.join(' → ')}. Remove another link of it first, or leave this one out.`,
    { faults: [{ path: 'to', message: 'closes a circle' }], cycle: path },
  );
}

/** The ids on a shortest way along the links, both ends included; only `from` and `to` when there is none. */
export function pathBetween(
  from: string,
  to: string,
  links: readonly { from: string; to: string }[],
): string[] {
  const before = new Map<string, string | null>([[from, null]]);
  for (const id of before.keys()) {
    if (id === to) break;
    for (const link of links) if (link.from === id && !before.has(link.to)) before.set(link.to, id);
  }
  const path: string[] = [];
  for (let id: string | null = to; id !== null; id = before.get(id) ?? null) path.unshift(id);
  return path[0] === from ? path : [from, to];
}
