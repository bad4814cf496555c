import * as z from 'zod';

export const BudgetScope = z.string().min(1).max(120);

export const SetBudget = z.strictObject({
  capMicros: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
});

/** What a scope may spend, has spent, and holds back for calls in flight. `unknownCalls` had no price. */
export interface Budget {
  scope: string;
  capMicros: number | null;
  spentMicros: number;
  reservedMicros: number;
  unknownCalls: number;
}
