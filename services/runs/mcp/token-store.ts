import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { runEvent, type ToldRun } from '../runs/run.ts';

/** Whom a run's token stands for. */
export interface TokenHolder {
  runId: string;
  agentId: string;
}

/** Keeps a token's digest for a run; false when the run has ended. */
export async function keepToken(
  database: Database,
  run: ToldRun,
  digest: string,
  at: number,
): Promise<boolean> {
  const [inserted] = await database.write('run.token', [
    {
      sql: `INSERT INTO runTokens (digest, runId, createdAt) SELECT ?, id, ? FROM runs WHERE id = ? AND phase <> 'ended'`,
      args: [digest, at, run.id],
    },
    eventIfChanged(runEvent(run, 'run.tokenMade', at, {})),
  ]);
  return inserted?.rowsAffected === 1;
}

/** Null for a digest that no token has, and for the token of a run that has ended. */
export async function holderOf(database: Database, digest: string): Promise<TokenHolder | null> {
  const [row] = await database.read({
    sql: `SELECT r.id, r.agentId FROM runTokens t JOIN runs r ON r.id = t.runId
      WHERE t.digest = ? AND r.phase <> 'ended'`,
    args: [digest],
  });
  return row ? { runId: String(row.id), agentId: String(row.agentId) } : null;
}
