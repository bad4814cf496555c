import { isRecord } from './is-record.ts';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const LEAST_BUDGET_TOKENS = 1_024;
/** The models before adaptive thinking: they think by a budget, and know no effort. */
const BY_BUDGET = /^claude-(?:3|[a-z]+-4-(?:0|1|5)(?:-|$)|haiku-4)/;

function budgetProblem(budget: unknown, maxTokens: unknown): string | null {
  const place = 'thinking.enabled.budget_tokens';
  if (budget === undefined) return `${place}: Field required`;
  if (!Number.isInteger(budget) || Number(budget) < LEAST_BUDGET_TOKENS)
    return `${place}: Input should be greater than or equal to ${LEAST_BUDGET_TOKENS}`;
  return typeof maxTokens === 'number' && Number(budget) >= maxTokens
    ? '`max_tokens` must be greater than `thinking.budget_tokens`'
    : null;
}

function thinkingKindProblem(body: Record<string, unknown>, isByBudget: boolean): string | null {
  const { thinking } = body;
  if (thinking === undefined) return null;
  if (!isRecord(thinking)) return 'thinking: Input should be an object';
  if (thinking.type === 'enabled') return budgetProblem(thinking.budget_tokens, body.max_tokens);
  if (thinking.type === 'adaptive' && isByBudget) return 'adaptive thinking is not supported on this model';
  return ['adaptive', 'disabled'].includes(String(thinking.type))
    ? null
    : "thinking.type: Input should be 'adaptive', 'disabled' or 'enabled'";
}

/** What is wrong with how much is to be thought, or null. */
export function thinkingProblem(body: Record<string, unknown>): string | null {
  const isByBudget = BY_BUDGET.test(String(body.model));
  const kind = thinkingKindProblem(body, isByBudget);
  if (kind !== null) return kind;
  const effort = isRecord(body.output_config) ? body.output_config.effort : undefined;
  if (effort === undefined || effort === null) return null;
  if (isByBudget) return 'output_config.effort: This model does not support the effort parameter.';
  return EFFORTS.includes(String(effort))
    ? null
    : `output_config.effort: Input should be ${EFFORTS.map((level) => `'${level}'`).join(', ')}`;
}
