import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { partOf } from '../../core-wasm/core.ts';
import {
  deleteTicket,
  dependentsOf,
  editTicket,
  impliedNeeds,
  needRefusals,
  ticketKeyOf,
  withNeeds,
  withoutDependents,
} from './draft-edits.ts';
import { proposal, ticket } from './draft-fixture.ts';

const chain = proposal([
  ticket('a'),
  ticket('b', { needs: ['a'] }),
  ticket('c', { needs: ['b'] }),
  ticket('d'),
]);

/** Acyclic plans: each sub-ticket needs some of those before it. */
const plans = fc
  .array(fc.array(fc.nat({ max: 20 }), { maxLength: 4 }), { minLength: 1, maxLength: 20 })
  .map((rows) =>
    proposal(
      rows.map((needs, i) =>
        ticket(`k${i}`, { needs: [...new Set(needs.filter((need) => need < i))].map((need) => `k${need}`) }),
      ),
    ),
  );

test('an edit changes one sub-ticket and leaves the others the same objects', () => {
  const edited = editTicket(chain, 'b', { title: 'New' });
  expect(edited.tickets[1]?.title).toBe('New');
  expect(edited.tickets[0]).toBe(chain.tickets[0]!);
  expect(chain.tickets[1]?.title).toBe('Title b');
});

test('what is deleted is needed by nobody any more', () => {
  expect(dependentsOf(chain, 'b').map(({ key }) => key)).toEqual(['c']);
  const rest = deleteTicket(chain, 'b');
  expect(rest.tickets.map(({ key, needs }) => [key, needs])).toEqual([
    ['a', []],
    ['c', []],
    ['d', []],
  ]);
});

test('only keys of sub-tickets are those of sub-tickets', () => {
  expect(ticketKeyOf('ticket/api')).toBe('api');
  expect(ticketKeyOf('position/dev')).toBeNull();
});

describe('what a sub-ticket cannot come to depend on', () => {
  test('is named with its reason', () => {
    const refusals = needRefusals(chain, 'b');
    expect(refusals.get('b')).toEqual({ kind: 'self' });
    expect(refusals.get('a')).toEqual({ kind: 'already' });
    expect(refusals.get('c')).toEqual({ kind: 'cycle', path: ['b', 'c', 'b'] });
    expect(refusals.get('d')).toBeUndefined();
  });

  test('is exactly what would make a circle', () => {
    fc.assert(
      fc.property(plans, fc.nat(), fc.nat(), (plan, i, j) => {
        const [key, need] = [i, j].map((n) => plan.tickets[n % plan.tickets.length]!.key) as [string, string];
        const refused = needRefusals(plan, key).get(need)?.kind;
        const isUpstream = withNeeds(plan, [need]).has(key);
        if (key === need) expect(refused).toBe('self');
        else expect(refused === 'cycle').toBe(isUpstream);
      }),
    );
  });

  test('is found at once in a ladder of many ways', () => {
    const rungs = Array.from({ length: 200 }, (_, i) =>
      ticket(`k${i}`, { needs: [i - 1, i - 2].filter((n) => n >= 0).map((n) => `k${n}`) }),
    );
    const before = performance.now();
    expect(needRefusals(proposal(rungs), 'k0').get('k199')?.kind).toBe('cycle');
    expect(performance.now() - before).toBeLessThan(500);
  });
});

test('a need that others bring along is told with one that does', () => {
  const last = ticket('e', { needs: ['d', 'a', 'c'] });
  const plan = proposal([...chain.tickets, last]);
  expect([...impliedNeeds(plan, last)]).toEqual([['a', 'c']]);
  expect(impliedNeeds(plan, chain.tickets[1]!).size).toBe(0);
});

describe('a part', () => {
  test('that is ticked is always sound, and stays so when something is taken out', () => {
    fc.assert(
      fc.property(plans, fc.array(fc.nat()), fc.nat(), (plan, picks, out) => {
        const keyOf = (n: number) => plan.tickets[n % plan.tickets.length]!.key;
        const chosen = withNeeds(plan, picks.map(keyOf));
        expect(partOf(plan.tickets, [...chosen]).missing).toEqual([]);
        const rest = withoutDependents(plan, chosen, keyOf(out));
        expect(rest.has(keyOf(out))).toBe(false);
        expect(partOf(plan.tickets, [...rest]).missing).toEqual([]);
      }),
    );
  });
});
