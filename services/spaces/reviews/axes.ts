import * as z from 'zod';
import type { AxisResult } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import { Slug } from '../fields.ts';
import type { CheckRun } from './pull-request-host.ts';

export const AxisOutcome = z.enum(['pass', 'fail', 'partial', 'unavailable']);
export type AxisOutcome = z.infer<typeof AxisOutcome>;

/** What a workspace looks at in every review; a gated axis that is not green makes a verdict more severe. */
export const AxisList = z
  .array(z.strictObject({ axis: Slug, gated: z.boolean() }))
  .max(50)
  .superRefine((list, context) => {
    list.forEach(({ axis }, i) => {
      if (list.findIndex((other) => other.axis === axis) === i) return;
      context.addIssue({ code: 'custom', path: [i, 'axis'], message: `${axis} is named twice` });
    });
  });
export type AxisList = z.infer<typeof AxisList>;

/** The axis that check runs answer when nobody else does. */
const TESTS_AXIS = 'tests';

export const DEFAULT_AXES: AxisList = [
  { axis: 'security', gated: false },
  { axis: 'correctness', gated: false },
  { axis: TESTS_AXIS, gated: true },
  { axis: 'performance', gated: false },
  { axis: 'docs', gated: false },
];

/** An axis as a verdict takes it, with who says so. */
export interface Axis extends AxisResult {
  note: string;
  /** Null: nobody; it is read from the check runs, or unavailable. */
  by: Actor | null;
}

/** A result that someone gave, and for which head. */
export interface GivenAxis {
  axis: string;
  headSha: string;
  result: AxisOutcome;
  note: string;
  givenBy: Actor;
}

const FAILED = ['failure', 'timed_out', 'startup_failure'];
const NO_EVIDENCE = ['neutral', 'skipped'];

/** What the check runs of a head say about its tests; whatever is not known to have passed is not green. */
export function testsAxis(checks: readonly CheckRun[] | null): { result: AxisOutcome; note: string } {
  if (checks === null)
    return { result: 'unavailable', note: 'The checks cannot be read with this token, or not all of them.' };
  const telling = checks.filter(({ conclusion }) => !NO_EVIDENCE.includes(conclusion ?? ''));
  const failed = telling.filter(({ conclusion }) => FAILED.includes(conclusion ?? ''));
  const passed = telling.filter((check) => check.status === 'completed' && check.conclusion === 'success');
  const names = (list: readonly CheckRun[]) => list.map(({ name }) => name).join(', ');
  if (telling.length === 0) return { result: 'unavailable', note: 'No check ran on this commit.' };
  if (failed.length > 0) return { result: 'fail', note: `Failed: ${names(failed)}.` };
  if (passed.length === telling.length) return { result: 'pass', note: `Passed: ${names(passed)}.` };
  const open = telling.filter((check) => !passed.includes(check));
  const note = `Not finished, or ended without a result: ${names(open)}.`;
  return { result: passed.length > 0 ? 'partial' : 'unavailable', note };
}

/** The workspace's axes at one head. A result for another head says nothing about this one. */
export function axesAt(
  headSha: string,
  list: AxisList,
  given: readonly GivenAxis[],
  checks: readonly CheckRun[] | null,
): Axis[] {
  return list.map(({ axis, gated }) => {
    const own = given.find((one) => one.axis === axis && one.headSha === headSha);
    if (own) return { axis, gated, result: own.result, note: own.note, by: own.givenBy };
    if (axis === TESTS_AXIS) return { axis, gated, ...testsAxis(checks), by: null };
    return { axis, gated, result: 'unavailable', note: 'Nobody looked at this for this commit.', by: null };
  });
}
