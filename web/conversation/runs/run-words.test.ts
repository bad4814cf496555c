import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { newId } from '../../../services/kit/id.ts';
import type { Checkpoint } from '../../../services/runs/checkpoints/schema.ts';
import { inputText, objectOf, type StepCall, statusOfCall } from './call-words.ts';
import { idBefore } from './id-at.ts';
import { hasSpent, spentBy, tokensOf } from './state-words.ts';
import { turnsToUndo } from './undo-turns.ts';

const ZERO = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const quiet = { isHeard: false, isRunOver: false, isDelegated: false };

test('an id of a moment is below the ids of that moment and above all before it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 44 }), (at) => {
      // Made by hand: ids of one process only grow.
      expect(idBefore('run', at) < `${idBefore('run', at)}0000000000000`).toBe(true);
      expect(`${idBefore('run', at - 1)}zzzzzzzzzzzzz` < idBefore('run', at)).toBe(true);
    }),
  );
  const now = Date.now() + 60_000;
  expect(newId('run', now).startsWith(idBefore('run', now))).toBe(true);
});

test('a call is named by what it is about, in one line', () => {
  expect(objectOf({ pattern: 'x', path: 'a/b.ts' })).toBe('a/b.ts');
  expect(objectOf({ command: 'git  push\norigin' })).toBe('git push origin');
  expect(objectOf({ odd: 'this', n: 3 })).toBe('this');
  expect([objectOf({}), objectOf(null), objectOf(7)]).toEqual(['', '', '']);
  expect(objectOf({ task: 'y'.repeat(400) })).toHaveLength(160);
  expect(inputText({ command: 'a\nb' })).toBe('a\nb');
  expect(inputText({ a: 1 })).toBe('{\n  "a": 1\n}');
});

test('a call that nobody hears of any more is not shown as running for ever', () => {
  const call = { name: 'run_command', state: 'started', endedAt: null } as StepCall;
  expect(statusOfCall(call, quiet)).toBe('running');
  expect(statusOfCall(call, { ...quiet, isRunOver: true })).toBe('skipped');
  expect(statusOfCall({ ...call, state: 'open' }, quiet)).toBe('pending');
  expect(statusOfCall({ ...call, state: 'open' }, { ...quiet, isHeard: true })).toBe('running');
  const delegation = { ...call, name: 'run_subagent', state: 'open' } as StepCall;
  expect(statusOfCall(delegation, { ...quiet, isDelegated: true })).toBe('running');
  expect(statusOfCall({ ...call, state: 'denied' }, { ...quiet, isRunOver: true })).toBe('cancelled');
});

test('an unknown cost makes a sum partial and never smaller; nothing spent is no sum', () => {
  const known = { costMicros: 300, tokens: { ...ZERO, input: 5 } };
  const unknown = { costMicros: null, tokens: { ...ZERO, output: 2 } };
  expect(spentBy([known, unknown])).toEqual({ micros: 300, isPartial: true });
  expect(spentBy([known, known])).toEqual({ micros: 600, isPartial: false });
  expect(tokensOf([known, unknown])).toEqual({ ...ZERO, input: 5, output: 2 });
  expect(hasSpent([{ costMicros: 0, tokens: ZERO }])).toBe(false);
  expect(hasSpent([{ costMicros: 0, tokens: { ...ZERO, input: 1 } }])).toBe(true);
});

test('files go back to answers that count and were kept, each once', () => {
  const checkpoint = (turn: number, change: Partial<Checkpoint> = {}): Checkpoint => ({
    ...{
      id: `chk_${turn}`,
      runId: 'run_1',
      repository: 'app',
      turn,
      undoId: null,
      commitId: 'c',
      note: null,
    },
    ...{ tools: ['edit_file'], counts: true, at: turn, ...change },
  });
  const turns = turnsToUndo([
    checkpoint(0),
    checkpoint(2),
    checkpoint(2, { repository: 'lib', tools: ['write_file'] }),
    checkpoint(3, { commitId: null }),
    checkpoint(4, { counts: false }),
    checkpoint(5, { undoId: 'und_1' }),
  ]);
  expect(turns).toEqual([
    { turn: 2, tools: ['edit_file', 'write_file'], at: 2 },
    { turn: 0, tools: ['edit_file'], at: 0 },
  ]);
});
