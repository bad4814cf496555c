import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged, eventsOfRows } from '../../kit/database/event-log.ts';
import type { Paging } from '../fields.ts';
import { guardrailRules, type NewRule, RULE_COLUMNS, type Rule } from './schema.ts';

export async function findRule(database: Database, id: string): Promise<Rule | null> {
  const rows = await database.orm.select(RULE_COLUMNS).from(guardrailRules).where(eq(guardrailRules.id, id));
  return rows[0] ?? null;
}

export async function findRuleFor(
  database: Database,
  { scope, scopeId, effect }: Pick<Rule, 'scope' | 'scopeId' | 'effect'>,
): Promise<Rule | null> {
  const sameScope = sql`${guardrailRules.scopeId} IS ${scopeId}`;
  const rows = await database.orm
    .select(RULE_COLUMNS)
    .from(guardrailRules)
    .where(and(eq(guardrailRules.scope, scope), sameScope, eq(guardrailRules.effect, effect)));
  return rows[0] ?? null;
}

export function listRules(database: Database, paging: Paging): Promise<Rule[]> {
  return database.orm
    .select(RULE_COLUMNS)
    .from(guardrailRules)
    .where(gt(guardrailRules.id, paging.after ?? ''))
    .orderBy(asc(guardrailRules.id))
    .limit(paging.limit + 1);
}

/** Under what a rule is written as part of a larger change: SQL that holds, and the approval that it comes from. */
export interface RuleCondition {
  sql: string;
  args: readonly unknown[];
  approvalId: string;
}

/**
 * Sets the one rule of its scope and effect, with an event that says what it was before; nothing when it stands already.
 * @param id of the rule, should there be none yet
 */
export function setRuleStatements(
  id: string,
  { scope, scopeId, effect, action }: NewRule,
  actor: Actor,
  at: number,
  condition: RuleCondition = { sql: '1', args: [], approvalId: '' },
): Statement[] {
  const rule = [scope, scopeId, effect, action];
  const approvalId = condition.approvalId === '' ? null : condition.approvalId;
  return [
    eventsOfRows(
      { at, actor, type: 'guardrail.set' },
      {
        subject: 'coalesce(old.id, ?)',
        data: `json_object('scope', ?, 'scopeId', ?, 'effect', ?, 'action', ?, 'before', old.action, 'approvalId', ?)`,
        from: `(SELECT 1) LEFT JOIN guardrailRules old ON old.scope = ? AND old.scopeId IS ? AND old.effect = ?
          WHERE old.action IS NOT ? AND ${condition.sql}`,
        args: [id, ...rule, approvalId, ...rule, ...condition.args],
      },
    ),
    {
      sql: `INSERT INTO guardrailRules (id, scope, scopeId, effect, action, setBy, setAt)
        SELECT ?, ?, ?, ?, ?, ?, ? WHERE ${condition.sql}
        ON CONFLICT (scope, ifnull(scopeId, ''), effect) DO UPDATE
        SET action = excluded.action, setBy = excluded.setBy, setAt = excluded.setAt WHERE action <> excluded.action`,
      args: [id, ...rule, actor, at, ...condition.args],
    },
  ];
}

export async function removeRule(
  database: Database,
  rule: Rule,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const { id, scope, scopeId, effect, action } = rule;
  const [removed] = await database.write('guardrail.remove', [
    database.orm
      .delete(guardrailRules)
      .where(and(eq(guardrailRules.id, id), eq(guardrailRules.action, action))),
    eventIfChanged({
      at: nowMs,
      actor,
      type: 'guardrail.removed',
      subject: id,
      data: { scope, scopeId, effect, action },
    }),
  ]);
  return removed?.rowsAffected === 1;
}
