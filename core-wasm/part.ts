import type { ProposedTicket } from './proposal.ts';

/** What approving some tickets of a proposal means for the others. Keys stand in the order of the proposal. */
export interface ApprovedPart {
  /** Tickets that stay behind gates. */
  deferred: string[];
  /** What the approved ones depend on, directly or not, and is not among them; the part is sound when there is none. */
  missing: string[];
  /** Approved keys that no ticket has, in the order given. */
  unknown: string[];
}

/** All that the given tickets need, directly or not. */
function neededBy(keys: Iterable<string>, needs: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const open = [...keys];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const need of needs.get(key) ?? []) {
      if (found.has(need)) continue;
      found.add(need);
      open.push(need);
    }
  }
  return found;
}

/** The part of a proposal that approving `approved` alone makes. Pure; the same in the browser and in the server. */
export function partOf(
  tickets: readonly Pick<ProposedTicket, 'key' | 'needs'>[],
  approved: readonly string[],
): ApprovedPart {
  const needs = new Map(tickets.map((ticket) => [ticket.key, ticket.needs]));
  const chosen = new Set(approved);
  const needed = neededBy(approved, needs);
  const keys = tickets.map(({ key }) => key);
  return {
    deferred: keys.filter((key) => !chosen.has(key)),
    missing: keys.filter((key) => needed.has(key) && !chosen.has(key)),
    unknown: [...chosen].filter((key) => !needs.has(key)),
  };
}
