import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Step } from '../../services/runs/pages/steps.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { scaleOf, type TimelineRow, timelineRows } from './timeline.ts';

const call = (change: Partial<Step['calls'][number]>): Step['calls'][number] => ({
  ...{
    callId: 'c1',
    name: 'read_file',
    input: {},
    state: 'succeeded',
    output: '',
    outputChars: 0,
    media: [],
  },
  ...{ decision: null, approvalId: null, startedAt: 1_000, endedAt: 1_400, durationMs: 400 },
  ...change,
});
const step = (change: Partial<Step>): Step => ({
  ...{ seq: 2, turn: 1, undone: false, summarized: false, at: 1_000, text: '', thinking: null, model: 'm' },
  ...{ stopReason: 'tool_use', tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, costMicros: 1 },
  ...{ durationMs: 500, firstByteMs: 200, calls: [], between: [] },
  ...change,
});
const node = (change: Partial<TreeNode>): TreeNode =>
  ({ id: 'run_1', state: 'succeeded', startedAt: 400, endedAt: 2_000, children: [], ...change }) as TreeNode;

const bars = (rows: readonly TimelineRow[]) =>
  rows.map(({ key, segments }) => [key, ...segments.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs])]);

test('an answer waits for its first word, then its calls follow', () => {
  expect(bars(timelineRows(node({}), [step({ calls: [call({})] })], {}))).toEqual([
    ['answer/2', ['wait', 500, 700], ['work', 700, 1_000]],
    ['call/c1', ['work', 1_000, 1_400]],
  ]);
});

test('a call that a person was asked about waits first; a held or running one has no end', () => {
  const asked = call({ approvalId: 'apr_1', startedAt: 1_300 });
  const held = call({ callId: 'c2', state: 'held', approvalId: 'apr_2', startedAt: null, endedAt: null });
  const running = call({ callId: 'c3', state: 'started', startedAt: 1_100, endedAt: null });
  const open = call({ callId: 'c4', state: 'open', startedAt: null, endedAt: null });
  const rows = timelineRows(node({ state: 'waiting' }), [step({ calls: [asked, held, running, open] })], {});
  expect(bars(rows).slice(1)).toEqual([
    ['call/c1', ['wait', 1_000, 1_300], ['work', 1_300, 1_400]],
    ['call/c2', ['wait', 1_000, null]],
    ['call/c3', ['work', 1_100, null]],
  ]);
});

test('a run at work that makes no call is with the model; one whose call is heard of is not', () => {
  const running = node({ state: 'running', endedAt: null });
  expect(bars(timelineRows(running, [step({ calls: [call({})] })], {})).at(-1)).toEqual([
    'answer/next',
    ['work', 1_400, null],
  ]);
  const open = call({ callId: 'c9', state: 'open', startedAt: null, endedAt: null });
  const heard = timelineRows(running, [step({ calls: [open] })], { c9: 1_050 });
  expect(bars(heard).at(-1)).toEqual(['call/c9', ['work', 1_050, null]]);
});

const at = (fromMs: number, toMs: number): TimelineRow => ({
  ...{ key: `${fromMs}`, kind: 'call', fromMs, step: null, call: null, subAgent: null, number: 0 },
  segments: [{ kind: 'work', fromMs, toMs }],
});

test('long times without work are drawn short, and only then', () => {
  const rows = [at(0, 1_000), at(3_601_000, 3_602_000)];
  const short = scaleOf(rows, 0, 3_602_000, true);
  expect(short.gaps).toEqual([{ fromMs: 1_000, toMs: 3_601_000 }]);
  expect(short.at(3_601_000) - short.at(1_000)).toBeLessThan(0.05);
  expect(scaleOf(rows, 0, 3_602_000, false).at(1_000)).toBeCloseTo(1_000 / 3_602_000);
});

test('the scale begins at 0, ends at 1 and never goes back', () => {
  const spans = fc.array(fc.tuple(fc.nat(1_000_000), fc.nat(100_000)), { maxLength: 12 });
  fc.assert(
    fc.property(
      spans,
      fc.boolean(),
      fc.array(fc.nat(1_100_000), { maxLength: 20 }),
      (list, collapse, moments) => {
        const rows = list.map(([from, long]) => at(from, from + long));
        const scale = scaleOf(rows, 0, 1_100_000, collapse);
        expect(scale.at(0)).toBe(0);
        expect(scale.at(1_100_000)).toBeCloseTo(1, 9);
        const places = moments.sort((a, b) => a - b).map(scale.at);
        for (const [i, place] of places.entries())
          expect(place).toBeGreaterThanOrEqual((places[i - 1] ?? 0) - 1e-12);
      },
    ),
  );
});
