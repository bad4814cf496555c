import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { newId } from '../../kit/id.ts';
import { findAgent } from '../agents/store.ts';
import { found, notFound } from '../not-found.ts';
import { findSpace } from '../spaces/store.ts';
import type { NewRule, Rule } from './schema.ts';
import { findRule, findRuleFor, removeRule, setRuleStatements } from './store.ts';

/** Sets the one rule of its scope and effect. @throws Fault not_found for the agent or the space */
export async function setRule(
  database: Database,
  input: NewRule,
  actor: Actor,
  nowMs: number,
): Promise<Rule> {
  await checkScope(database, input);
  const id = newId('grl');
  await database.write('guardrail.set', setRuleStatements(id, input, actor, nowMs));
  return (await findRuleFor(database, input)) ?? { id, ...input, setBy: actor, setAt: nowMs };
}

/** @returns the rule that was @throws Fault not_found */
export async function deleteRule(database: Database, id: string, actor: Actor, nowMs: number): Promise<Rule> {
  for (;;) {
    const rule = found(await findRule(database, id), 'rule', id);
    if (await removeRule(database, rule, actor, nowMs)) return rule;
  }
}

async function checkScope(database: Database, { scope, scopeId }: NewRule): Promise<void> {
  if (scopeId === null) return;
  const row = scope === 'agent' ? await findAgent(database, scopeId) : await findSpace(database, scopeId);
  if (!row) throw notFound(scope, scopeId);
}
