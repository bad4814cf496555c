import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { AxisList, axesAt, DEFAULT_AXES, testsAxis } from './axes.ts';

const check = (name: string, conclusion: string | null, status = 'completed') => ({
  ...{ name, conclusion, status: conclusion === null ? 'in_progress' : status, url: null },
});

test('checks are green only when one passed and none is left open', () => {
  expect(testsAxis(null)).toMatchObject({ result: 'unavailable', note: expect.stringContaining('token') });
  expect(testsAxis([]).result).toBe('unavailable');
  expect(testsAxis([check('unit', 'success')])).toEqual({ result: 'pass', note: 'Passed: unit.' });
  expect(testsAxis([check('unit', 'success'), check('docs', 'skipped')]).result).toBe('pass');
  expect(testsAxis([check('docs', 'skipped'), check('size', 'neutral')]).result).toBe('unavailable');
  expect(testsAxis([check('unit', 'success'), check('e2e', null)]).result).toBe('partial');
  expect(testsAxis([check('unit', null), check('e2e', null)]).result).toBe('unavailable');
  expect(testsAxis([check('unit', 'success'), check('e2e', 'cancelled')]).result).toBe('partial');
  expect(testsAxis([check('unit', 'success'), check('e2e', 'a word of tomorrow')]).result).toBe('partial');
  for (const conclusion of ['failure', 'timed_out', 'startup_failure']) {
    expect(testsAxis([check('unit', 'success'), check('e2e', conclusion)]).result).toBe('fail');
  }
});

test('whatever the checks, they are a pass only if something passed and nothing else happened', () => {
  const Check = fc.constantFrom(
    'success',
    'failure',
    'skipped',
    'neutral',
    'cancelled',
    'action_required',
    null,
  );
  fc.assert(
    fc.property(fc.array(Check, { maxLength: 6 }), (conclusions) => {
      const { result } = testsAxis(conclusions.map((conclusion, i) => check(`c${i}`, conclusion)));
      const isGreen =
        conclusions.includes('success') &&
        conclusions.every((one) => one !== null && ['success', 'skipped', 'neutral'].includes(one));
      expect(result === 'pass').toBe(isGreen);
    }),
  );
});

test('an axis that nobody judged at this head is unavailable; given results replace what checks say', () => {
  const given = { headSha: 'b', note: 'by hand', givenBy: 'service:ci' } as const;
  const results = [
    { ...given, axis: 'security', result: 'pass' as const },
    { ...given, axis: 'tests', result: 'fail' as const, headSha: 'a' },
  ];
  const axes = axesAt('b', DEFAULT_AXES, results, [check('unit', 'success')]);
  expect(axes.map(({ axis, result, gated, by }) => [axis, result, gated, by])).toEqual([
    ['security', 'pass', false, 'service:ci'],
    ['correctness', 'unavailable', false, null],
    ['tests', 'pass', true, null],
    ['performance', 'unavailable', false, null],
    ['docs', 'unavailable', false, null],
  ]);
  expect(axesAt('a', DEFAULT_AXES, results, [check('unit', 'success')])[2]).toMatchObject({ result: 'fail' });
});

test('an axis stands in the list once', () => {
  expect(
    AxisList.safeParse([
      { axis: 'docs', gated: true },
      { axis: 'docs', gated: false },
    ]).success,
  ).toBe(false);
  expect(AxisList.safeParse([{ axis: 'Docs!', gated: true }]).success).toBe(false);
  expect(AxisList.safeParse([]).success).toBe(true);
});
