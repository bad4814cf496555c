import { type Actor, actorId } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunRow } from '../runs/schema.ts';
import { findRow } from '../runs/store.ts';
import { newRunToken, runTokenDigest } from './run-token.ts';
import { holderOf, keepToken, type TokenHolder } from './token-store.ts';

/**
 * Makes a token for a run, good until the run ends. Its text is in the answer and nowhere else.
 * @throws Fault forbidden (all but services), not_found, wrong_status for a run that has ended
 */
export async function makeToken(
  database: Database,
  runId: string,
  actor: Actor,
  at: number,
): Promise<{ token: string }> {
  requireService(actor, 'make tokens for runs');
  const run = await findRow(database, runId);
  const token = newRunToken();
  if (await keepToken(database, run, runTokenDigest(token), at)) return { token };
  throw new Fault('wrong_status', `Run ${runId} has ended; it has no use for a token.`);
}

/** @throws Fault forbidden (all but services), unauthenticated */
export async function holderOfToken(database: Database, digest: string, actor: Actor): Promise<TokenHolder> {
  requireService(actor, 'ask whose token it is');
  const holder = await holderOf(database, digest);
  if (holder) return holder;
  throw new Fault('unauthenticated', 'This token is not known here, or its run has ended.');
}

/**
 * The run for which an agent's request is made.
 * @throws Fault forbidden for an agent or service without a run, unauthenticated when the run has ended
 */
export async function runOfCaller(
  database: Database,
  { actor, runId }: { actor: Actor; runId: string | null },
): Promise<RunRow> {
  if (runId === null) {
    throw new Fault('forbidden', 'Tools are for people, and for runs with their own token.', { actor });
  }
  const row = await findRow(database, runId);
  if (row.phase !== 'ended' && row.agentId === actorId(actor)) return row;
  throw new Fault('unauthenticated', 'The run of this token has ended.');
}

function requireService(actor: Actor, what: string): void {
  if (actor.startsWith('service:')) return;
  throw new Fault('forbidden', `Only Control Center itself may ${what}.`, { actor });
}
