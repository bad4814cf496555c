import type { GuardrailRule } from '../../../core-wasm/core.ts';
import { plainLine } from '../plain-text.ts';
import { table } from './table.ts';

export type ListedRule = GuardrailRule & {
  workspaceId: string;
  workspace: string;
  /** Of the agent or the space; null for the workspace, and for what is no more. */
  scopeName: string | null;
};

const NO_RULES = 'No rules yet: each effect class has its default. See `cctl guardrails explain`.';

export function rulesTable(rules: readonly ListedRule[]): string {
  const columns = ['ID', 'EFFECT', 'ACTION', 'FOR', 'WORKSPACE'].map((title) => ({ title }));
  const rows = rules.map((rule) => [
    rule.id,
    rule.effect,
    rule.action,
    scopeText(rule),
    plainLine(rule.workspace, 20),
  ]);
  return table(columns, rows, NO_RULES);
}

function scopeText({ scope, scopeId, scopeName }: ListedRule): string {
  return scope === 'workspace' ? 'everything' : `${scope} ${plainLine(scopeName ?? scopeId ?? '', 40)}`;
}

/** `deny git_push in the workspace`. */
export function ruleText({ scope, scopeId, effect, action }: GuardrailRule): string {
  const where = scope === 'workspace' ? 'in the workspace' : `for the ${scope} ${scopeId}`;
  return `${action} ${effect} ${where}`;
}
