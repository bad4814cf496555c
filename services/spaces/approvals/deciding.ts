import type { EffectClass, RuleScope } from '../../../core-wasm/core.ts';
import { type Actor, actorId } from '../../kit/actor.ts';
import type { Database, Row, Statement } from '../../kit/database/database.ts';
import { newId } from '../../kit/id.ts';
import { setRuleStatements } from '../guardrails/store.ts';
import { type Closing, closedStatements, newClosing } from './closing.ts';
import type { Approval, Decision, Grant } from './schema.ts';

/** The rules that go with a decision: an allow for each effect at one scope. */
export interface RuleGrant {
  scope: RuleScope;
  scopeId: string | null;
  effects: readonly EffectClass[];
}

export interface Verdict {
  status: 'approved' | 'refused';
  decision: Decision;
  grant: Grant | null;
  rules: RuleGrant | null;
}

/**
 * The one winner: writes only while the row is open, over the digest of the approval given, and never beside a rule that
 * denies what it would allow.
 */
export async function decide(
  database: Database,
  approval: Approval,
  verdict: Verdict,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const closing = newClosing(actor, nowMs);
  const { status, decision, grant, rules } = verdict;
  const denied = rules ? denying(approval, rules.effects) : null;
  const [updated] = await database.write('approval.decide', [
    {
      sql: `UPDATE approvals SET status = ?, decidedBy = ?, decidedAt = ?, decision = ?, grant = ?, closing = ?
        WHERE id = ? AND status IN ('pending', 'unattended') AND digest = ?
        ${denied ? `AND NOT EXISTS (SELECT 1 FROM ${denied.sql})` : ''}`,
      args: [
        ...[status, actor, nowMs, JSON.stringify(decision), grant, closing.id],
        ...[approval.id, approval.digest, ...(denied?.args ?? [])],
      ],
    },
    ...closedStatements(closing, 'approval.decided'),
    ...(rules ? ruleStatements(approval.id, rules, closing) : []),
  ]);
  return updated?.rowsAffected === 1;
}

/** A rule that denies one of the effects to the requester there, if any. */
export async function denyingRule(
  database: Database,
  approval: Approval,
  effects: readonly EffectClass[],
): Promise<Row | null> {
  const denied = denying(approval, effects);
  const rows = await database.read({
    sql: `SELECT id, scope, effect FROM ${denied.sql} ORDER BY id LIMIT 1`,
    args: denied.args,
  });
  return rows[0] ?? null;
}

function denying({ requester, spaceId }: Approval, effects: readonly EffectClass[]) {
  return {
    sql: `guardrailRules WHERE action = 'deny' AND effect IN (SELECT value FROM json_each(?))
      AND (scope = 'workspace' OR (scope = 'agent' AND scopeId = ?) OR (scope = 'space' AND scopeId = ?))`,
    args: [JSON.stringify(effects), actorId(requester), spaceId],
  };
}

function ruleStatements(
  approvalId: string,
  { scope, scopeId, effects }: RuleGrant,
  closing: Closing,
): Statement[] {
  const won = 'EXISTS (SELECT 1 FROM approvals WHERE closing = ?)';
  const condition = { sql: won, args: [closing.id], approvalId };
  return effects.flatMap((effect) =>
    setRuleStatements(
      newId('grl'),
      { scope, scopeId, effect, action: 'allow' },
      closing.actor,
      closing.at,
      condition,
    ),
  );
}
