import * as z from 'zod';

/** What people set caps for; everything else that has a budget is an orchestration, or what a service calls its own. */
const OF_PEOPLE = /^(run|workspace|run:.+|agent:.+)$/;
const MONTHLY = /^(workspace|agent:.+)\//;

export const Target = z.string().min(1).max(120);

/** A budget that a service shares among the runs it makes. */
export const BudgetScope = Target.refine((scope) => !OF_PEOPLE.test(scope) && !MONTHLY.test(scope), {
  message: 'is the name of a budget that Control Center keeps by itself',
});

export const CapMicros = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** Null takes the cap away. */
export const SetBudget = z.strictObject({ capMicros: CapMicros.nullable() });

/** Whether people set the cap of this target: of every run, of one, of an agent or of the workspace. */
export function isOfPeople(target: string): boolean {
  return OF_PEOPLE.test(target);
}

/** A place where money is counted, and whose cap holds there: its own, or else that of the fallback. */
export interface Scope {
  scope: string;
  target: string;
  fallback: string | null;
}

/** What a target may spend, has spent, and holds back for calls in flight; of agents and the workspace, in this month (UTC). */
export interface Budget {
  target: string;
  /** Null of `run`, the cap of each run that has none of its own; nothing is spent there. */
  scope: string | null;
  capMicros: number | null;
  spentMicros: number | null;
  reservedMicros: number | null;
  /** Calls that are in no sum: no price was known, or the server reported no usage. */
  unknownCalls: number | null;
  /** The most that those of them can have cost that were made under a price; it counts against the cap. */
  unknownMicros: number | null;
}

/** Where and why a run's next call was not made. */
export interface BudgetStop extends Scope {
  reason: 'cap' | 'price_unknown';
}
