import type { Scope } from './schema.ts';
import type { ScopeState } from './states.ts';

const MICROS_PER_DOLLAR = 1_000_000;
/** Digits that a price has at least. */
const CENT_DIGITS = 2;

/** Exactly, with cents at least: `$0.50`, `$0.512345`. */
function dollars(micros: number): string {
  const [whole, parts = ''] = (micros / MICROS_PER_DOLLAR).toFixed(6).split('.');
  return `$${whole}.${parts.replace(/0+$/, '').padEnd(CENT_DIGITS, '0')}`;
}

/** `The budget of the agent engineer for 2026-11`. */
export function nameOf({ scope, target }: Scope, agentName: string): string {
  const month = scope.slice(target.length + 1);
  if (target === 'workspace') return `The budget of this workspace for ${month}`;
  if (target.startsWith('agent:')) return `The budget of the agent ${agentName} for ${month}`;
  if (target.startsWith('run:')) return `The budget of the run ${target.slice(4)} with its sub-agents`;
  return `The budget of ${scope}`;
}

export function nearlyUsed(state: ScopeState, agentName: string): string {
  return `${nameOf(state, agentName)} is nearly used; its cap is ${dollars(state.capMicros ?? 0)}.`;
}

export function usedUp(state: ScopeState, agentName: string): string {
  return `${nameOf(state, agentName)} is used up: ${spentText(state)}. ${raising(state)}`;
}

/** `$0.41 of $0.50 is spent`, with what is not known of it. */
export function spentText(
  state: Pick<ScopeState, 'spentMicros' | 'capMicros' | 'unknownMicros' | 'unknownCalls'>,
): string {
  const { spentMicros, capMicros, unknownMicros, unknownCalls } = state;
  const spent = `${dollars(spentMicros)} of ${dollars(capMicros ?? 0)} is spent`;
  if (unknownCalls === 0) return spent;
  const bound = unknownMicros > 0 ? `, at most ${dollars(unknownMicros)} as far as it has a bound` : '';
  return `${spent}, and the unknown cost of ${unknownCalls} calls${bound}`;
}

export function raising({ scope, target }: Scope): string {
  const isMonthly = scope !== target;
  const command = `\`cctl budget set ${target} <dollars>\``;
  if (!isMonthly && !target.startsWith('run:')) return 'It is raised where the work was approved.';
  const later = isMonthly ? ', or with the next month (UTC), when it begins anew' : '';
  return `Raise it with ${command}: what it stopped goes on by itself then${later}.`;
}

export function priceUnknown(state: ScopeState, agentName: string, model: string): string {
  const name = nameOf(state, agentName);
  return `The model ${model} has no known price. ${name} has a cap of ${dollars(state.capMicros ?? 0)}, and under a cap only calls are made that have a price. Give the model a price in models.json, or let the agent use another.`;
}
