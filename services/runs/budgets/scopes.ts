import type { BudgetStop, Scope } from './schema.ts';

/** What of a run says where its calls are counted. */
export interface CountedRun {
  /** Of the root of its tree. */
  rootRunId: string;
  agentId: string;
  budgetScope: string | null;
}

/** The calendar month in UTC, as `2026-11`. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM'.length);
}

/** Where a call of the run that begins now is counted, the narrowest first. */
export function scopesOf({ rootRunId, agentId, budgetScope }: CountedRun, at: number): Scope[] {
  return [
    scopeOf(`run:${rootRunId}`, at),
    ...(budgetScope === null ? [] : [scopeOf(budgetScope, at)]),
    scopeOf(`agent:${agentId}`, at),
    scopeOf('workspace', at),
  ];
}

/** Where a target's money is counted now. */
export function scopeOf(target: string, at: number): Scope {
  const isMonthly = target === 'workspace' || target.startsWith('agent:');
  return {
    scope: isMonthly ? `${target}/${monthOf(at)}` : target,
    target,
    fallback: target.startsWith('run:') ? 'run' : null,
  };
}

/** When what a budget has stopped has room again by itself: with the next month (UTC). Null of what is of no month. */
export function renewsAt({ scope, target, reason }: BudgetStop): number | null {
  if (scope === target || reason !== 'cap') return null;
  const [year, month] = scope.slice(target.length + 1).split('-');
  return Date.UTC(Number(year), Number(month));
}
