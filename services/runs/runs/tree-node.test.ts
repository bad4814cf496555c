import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createRowsBench, type GivenRow, type RowsBench } from '../test-rows.ts';
import { type NodeFacts, stateOf, type TreeNode, treesOf } from './tree-node.ts';
import { conversationFacts, treeFacts } from './tree-store.ts';

let bench: RowsBench;
beforeEach(async () => {
  bench = await createRowsBench();
});
afterEach(() => bench.close());

type Stand = Pick<NodeFacts, 'phase' | 'status' | 'liveness' | 'startedAt'>;
const stand = (change: Partial<Stand>): Stand => ({
  ...{ phase: 'ended', status: 'completed', liveness: 'progressing', startedAt: 1 },
  ...change,
});

test.each<[Partial<Stand>, string]>([
  [{ phase: 'queued', status: 'queued', startedAt: null }, 'queued'],
  [{ phase: 'live', status: 'queued', startedAt: null }, 'queued'],
  [{ phase: 'queued', status: 'running' }, 'running'],
  [{ phase: 'live', status: 'running', liveness: 'stalled' }, 'running'],
  [{ phase: 'waiting', status: 'running', liveness: 'waiting' }, 'waiting'],
  [{ phase: 'paused', status: 'paused', liveness: 'waiting' }, 'paused'],
  [{ phase: 'paused', status: 'paused', liveness: 'blocked' }, 'blocked'],
  [{ status: 'failed', liveness: 'looping' }, 'failed'],
  [{ status: 'cancelled', liveness: 'empty' }, 'cancelled'],
  [{}, 'succeeded'],
])('a run with %o is %s', (change, state) => {
  expect(stateOf(stand(change))).toBe(state as TreeNode['state']);
});

const FAMILY: GivenRow[] = [
  { id: 'run_a', conversationId: 'cnv_1', costMicros: 1, inputTokens: 30, cacheReadTokens: 10 },
  {
    id: 'run_b',
    conversationId: 'cnv_1',
    parentRunId: 'run_a',
    rootRunId: 'run_a',
    depth: 1,
    costMicros: 10,
  },
  {
    id: 'run_c',
    conversationId: 'cnv_1',
    parentRunId: 'run_a',
    rootRunId: 'run_a',
    depth: 1,
    costMicros: 100,
  },
  {
    id: 'run_d',
    conversationId: 'cnv_1',
    parentRunId: 'run_b',
    rootRunId: 'run_a',
    depth: 2,
    costMicros: 1_000,
  },
  { id: 'run_e', conversationId: 'cnv_1', costMicros: 5, startedAt: null, phase: 'queued', endedAt: null },
];

const shape = (node: TreeNode): unknown[] => [node.id, node.treeCostMicros, node.children.map(shape)];

test('from any run of a tree the whole tree is told, each part with its sum', async () => {
  await bench.insert(...FAMILY);
  for (const id of ['run_a', 'run_b', 'run_c', 'run_d']) {
    const trees = treesOf(await treeFacts(bench.database, id), 50);
    expect(trees.map(shape)).toEqual([
      [
        'run_a',
        1_111,
        [
          ['run_b', 1_010, [['run_d', 1_000, []]]],
          ['run_c', 100, []],
        ],
      ],
    ]);
    expect(trees[0]).toMatchObject({
      ...{ agentName: 'engineer', trigger: 'assignment', state: 'succeeded', costMicros: 1, durationMs: 1 },
      ...{ tokens: { input: 30, output: 0, cacheRead: 10, cacheWrite: 0 }, cacheReadShare: 0.25 },
    });
    expect(trees[0]?.children[0]?.cacheReadShare).toBeNull();
  }
  expect(treeFacts(bench.database, 'run_none')).rejects.toMatchObject({ code: 'not_found' });
});

test('one part that is unknown makes the sums above it unknown, and no others', async () => {
  await bench.insert(...FAMILY.map((row) => (row.id === 'run_d' ? { ...row, costMicros: null } : row)));
  const [tree] = treesOf(await treeFacts(bench.database, 'run_c'), 50);
  expect(shape(tree as TreeNode)).toEqual([
    ...[
      'run_a',
      null,
      [
        ['run_b', null, [['run_d', null, []]]],
        ['run_c', 100, []],
      ],
    ],
  ]);
});

test("a conversation's trees page by their roots, each whole, and time runs on for what has begun", async () => {
  await bench.insert(...FAMILY, { id: 'run_f', conversationId: 'cnv_2' });
  const page = async (after: string, limit: number) =>
    treesOf(await conversationFacts(bench.database, { conversationId: 'cnv_1', after, limit }), 50);
  expect((await page('', 9)).map(({ id }) => id)).toEqual(['run_a', 'run_e']);
  expect((await page('', 1)).map(shape)).toMatchObject([['run_a', 1_111, [{}, {}]]]);
  expect(await page('run_a', 9)).toMatchObject([{ id: 'run_e', state: 'queued', durationMs: null }]);
  expect(await page('run_e', 9)).toEqual([]);
});

test('a hundred trees of forty runs are read within their bound', async () => {
  const rows = Array.from({ length: 100 }, (_, t) => {
    const root = `run_${String(t).padStart(3, '0')}`;
    const at = { conversationId: 'cnv_1', prompt: 'p'.repeat(2_000), summary: 's'.repeat(150) };
    const below = Array.from({ length: 39 }, (_, i) => ({
      ...{ ...at, id: `${root}_${String(i).padStart(2, '0')}`, rootRunId: root, depth: 1, parentRunId: root },
    }));
    return [{ ...at, id: root }, ...below];
  });
  for (const tree of rows) await bench.insert(...tree);
  // The processor's time: what else this machine does is not counted.
  const timed = async () => {
    const before = process.cpuUsage();
    const facts = await conversationFacts(bench.database, { conversationId: 'cnv_1', after: '', limit: 100 });
    const trees = treesOf(facts, 50);
    const { user, system } = process.cpuUsage(before);
    expect([trees.length, facts.length]).toEqual([100, 4_000]);
    return (user + system) / 1_000;
  };
  let leastMs = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 10; n++) leastMs = Math.min(leastMs, await timed());
  expect(leastMs).toBeLessThan(50);
});
