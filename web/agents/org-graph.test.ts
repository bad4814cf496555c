import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { circleOf, inOrder, type OrgAgent, orgGraph, orgTrees } from './org-graph.ts';
import { CARD, orgPicture } from './org-layout.ts';

const agent = (id: string, reportsTo: string | null = null): OrgAgent => ({
  id,
  name: id,
  title: id,
  reportsTo,
});

const TEAM = [agent('ceo'), agent('qa', 'ceo'), agent('architect', 'ceo'), agent('engineer', 'architect')];

test('the chart goes from those who report to nobody down, names in order', () => {
  const nodes = inOrder(orgTrees(orgGraph(TEAM)));
  expect(nodes.map(({ agent: { id }, level }) => [id, level])).toEqual([
    ['ceo', 1],
    ['architect', 2],
    ['engineer', 3],
    ['qa', 2],
  ]);
});

test('a circle is told by the names along it, from the agent back to itself', () => {
  const graph = orgGraph(TEAM);
  expect(circleOf(graph, 'ceo', 'engineer')).toEqual(['ceo', 'engineer', 'architect', 'ceo']);
  expect(circleOf(graph, 'qa', 'qa')).toEqual(['qa', 'qa']);
  expect(circleOf(graph, 'qa', 'engineer')).toBeNull();
  expect(circleOf(graph, 'engineer', 'unknown')).toBeNull();
});

test('a superior who is not there, or a circle in the rows, loses nobody', () => {
  const odd = [agent('a', 'gone'), agent('b', 'c'), agent('c', 'b'), agent('d', 'd')];
  expect(
    inOrder(orgTrees(orgGraph(odd)))
      .map(({ agent: { id } }) => id)
      .sort(),
  ).toEqual(['a', 'b', 'c', 'd']);
});

/** Each reports to nobody or to one before it, so that there is no circle. */
const forests = fc
  .array(fc.option(fc.nat()), { minLength: 1, maxLength: 60 })
  .map((above) =>
    above.map((to, i) =>
      agent(
        `a${String(i).padStart(2, '0')}`,
        to === null || i === 0 ? null : `a${String(to % i).padStart(2, '0')}`,
      ),
    ),
  );

test('every agent is in the picture once, no two cards overlap, and all are within it', () => {
  fc.assert(
    fc.property(forests, (agents) => {
      const { cards, lines, width, height } = orgPicture(orgTrees(orgGraph(agents)));
      expect(cards.map(({ node }) => node.agent.id).sort()).toEqual(agents.map(({ id }) => id));
      expect(lines.length).toBe(agents.filter(({ reportsTo }) => reportsTo !== null).length);
      for (const [i, a] of cards.entries()) {
        expect(
          a.x >= 0 && a.y >= 0 && a.x + CARD.width <= width + 1e-9 && a.y + CARD.height <= height + 1e-9,
        ).toBe(true);
        for (const b of cards.slice(i + 1))
          expect(Math.abs(a.x - b.x) >= CARD.width - 1e-9 || Math.abs(a.y - b.y) >= CARD.height - 1e-9).toBe(
            true,
          );
      }
    }),
    { numRuns: 50 },
  );
});

test('exactly what would not close a circle can be a superior', () => {
  fc.assert(
    fc.property(forests, fc.nat(), fc.nat(), (agents, a, b) => {
      const [id, superior] = [agents[a % agents.length]!.id, agents[b % agents.length]!.id];
      const moved = agents.map((one) => (one.id === id ? { ...one, reportsTo: superior } : one));
      const above = (from: string) => moved.find((one) => one.id === from)?.reportsTo ?? null;
      let [at, steps] = [above(id), 0];
      while (at !== null && at !== id && steps++ <= agents.length) at = above(at);
      expect(circleOf(orgGraph(agents), id, superior) !== null).toBe(at === id);
    }),
    { numRuns: 100 },
  );
});
