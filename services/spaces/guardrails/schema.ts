import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { EffectClass, RuleAction, RuleScope } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import { Id } from '../fields.ts';

/** What people allow, have asked or deny; `scopeId` is the agent's or the space's id, null for the whole workspace. */
export const guardrailRules = sqliteTable('guardrailRules', {
  id: text().primaryKey(),
  scope: text().$type<RuleScope>().notNull(),
  scopeId: text(),
  effect: text().$type<EffectClass>().notNull(),
  action: text().$type<RuleAction>().notNull(),
  setBy: text().$type<Actor>().notNull(),
  setAt: integer().notNull(),
});
export const RULE_COLUMNS = getTableColumns(guardrailRules);
/** A guardrail of the core, and who set it when. */
export type Rule = typeof guardrailRules.$inferSelect;

export const NewRule = z
  .strictObject({
    scope: RuleScope,
    scopeId: Id.nullable().default(null),
    effect: EffectClass,
    action: RuleAction,
  })
  .refine(({ scope, scopeId }) => (scope === 'workspace') === (scopeId === null), {
    path: ['scopeId'],
    message: 'is the id of the agent or the space, and null for the whole workspace',
  });
export type NewRule = z.infer<typeof NewRule>;

export const GuardrailQuery = z.object({ agentId: Id.optional(), spaceId: Id.optional() });
export type GuardrailQuery = z.infer<typeof GuardrailQuery>;
