import type { Autonomy, GuardrailRule, Mode } from '../../../core-wasm/core.ts';
import type { Database } from '../../kit/database/database.ts';
import { notFound } from '../not-found.ts';
import type { WhenNobody } from '../spaces/schema.ts';
import type { GuardrailQuery } from './schema.ts';

/** What holds for a call of an agent in a space now. */
export interface Guardrails {
  mode: Mode;
  autonomy: Autonomy;
  whenNobody: WhenNobody;
  /** Of the workspace, of the agent, of the space. */
  rules: GuardrailRule[];
}

const QUERY = `SELECT s.id AS spaceId, s.mode, s.autonomy, s.whenNobody,
    (SELECT id FROM agents WHERE id = ?) AS agentId,
    (SELECT json_group_array(json_object('id', id, 'scope', scope, 'scopeId', scopeId, 'effect', effect,
        'action', action)) FROM (SELECT * FROM guardrailRules WHERE scope = 'workspace'
      OR (scope = 'agent' AND ifnull(scopeId, '') = ?) OR (scope = 'space' AND ifnull(scopeId, '') = ?) ORDER BY id)) AS rules
  FROM (SELECT 1) LEFT JOIN spaces s ON s.id = ?`;

/**
 * One read, since it is asked before every call of a tool. Outside a space it is chat, with approval, and refused when
 * nobody is there.
 * @throws Fault not_found for the agent or the space
 */
export async function guardrailsOf(
  database: Database,
  { agentId = null, spaceId = null }: { [Name in keyof GuardrailQuery]: string | null | undefined },
): Promise<Guardrails> {
  const [row = {}] = await database.read({ sql: QUERY, args: [agentId, agentId, spaceId, spaceId] });
  if (agentId !== null && row.agentId === null) throw notFound('agent', agentId);
  if (spaceId !== null && row.spaceId === null) throw notFound('space', spaceId);
  return {
    mode: (row.mode ?? 'chat') as Mode,
    autonomy: (row.autonomy ?? 'actWithApproval') as Autonomy,
    whenNobody: (row.whenNobody ?? 'refuse') as WhenNobody,
    rules: JSON.parse(String(row.rules)) as GuardrailRule[],
  };
}
