import type { Database } from '../../kit/database/database.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import type { DelegationOutcome } from '../peers/spaces-port.ts';
import type { RunRow } from '../runs/schema.ts';
import { findRow } from '../runs/store.ts';
import { type DelegationRef, refOf } from './delegation-key.ts';

/** A comment's share of a result; the whole is in the run's output. */
const COMMENT_CHARS = 200_000;

/** A ticket whose run has begun is in progress. @throws Fault of spaces when it is one that may pass */
export async function noteBegin(
  deps: RunsDeps,
  workspaceId: string,
  database: Database,
  runId: string,
): Promise<void> {
  const ref = assignmentOf(await findRow(database, runId));
  if (ref === null) return;
  await unlessForGood(deps, ref, () => deps.spaces.beginDelegation(workspaceId, ref.ticketId, ref.number));
}

/**
 * A ticket ends with the last run of its agent in its thread: the one of the assignment, or one in which the agent went on
 * with what it had delegated further. Telling it again does nothing.
 * @throws Fault of spaces when it is one that may pass
 */
export async function noteEnd(
  deps: RunsDeps,
  workspaceId: string,
  database: Database,
  { subject, at }: WorkspaceEvent,
): Promise<void> {
  const row = await findRow(database, subject);
  const ref = assignmentOf(row) ?? (await ticketGoneOnWith(database, row));
  if (ref === null) return;
  const end = { outcome: row.status as DelegationOutcome, body: bodyOf(row), runEndedAt: at };
  await unlessForGood(deps, ref, () => deps.spaces.endDelegation(workspaceId, ref.ticketId, ref.number, end));
}

function assignmentOf({ triggerKind, parentRunId, key }: RunRow): DelegationRef | null {
  return triggerKind === 'assignment' && parentRunId === null ? refOf('assignment', key) : null;
}

async function ticketGoneOnWith(database: Database, row: RunRow): Promise<DelegationRef | null> {
  const { conversationId, agentId, parentRunId, triggerKind, status } = row;
  if (parentRunId !== null || conversationId === null) return null;
  // What a person asks beside the ticket is no matter of the ticket when it comes to nothing.
  if (triggerKind === 'userMessage' && status !== 'completed') return null;
  const [last] = await database.read({
    sql: `SELECT a.key FROM runs a WHERE a.conversationId = ? AND a.agentId = ? AND a.triggerKind = 'assignment'
        AND a.parentRunId IS NULL AND a.key LIKE 'assignment:tkt!_%' ESCAPE '!' AND a.status = 'completed'
        AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.conversationId = a.conversationId AND o.agentId = a.agentId
          AND o.parentRunId IS NULL AND o.phase <> 'ended')
      ORDER BY a.id DESC LIMIT 1`,
    args: [conversationId, agentId],
  });
  return last ? refOf('assignment', String(last.key)) : null;
}

function bodyOf({ id, status, errorFamily, summary, output }: RunRow): string {
  const text = output?.text.trim() ?? '';
  const why = `${summary ?? 'No reason was given.'} (run ${id})`;
  if (status === 'cancelled') return `**Cancelled.** The run was stopped before it had a result. ${why}`;
  if (status === 'failed') return withText(`**Failed** (${errorFamily ?? 'unknown cause'}). ${why}`, text);
  if (text !== '') return bounded(text, id);
  return `The run ended without a result. ${why}`;
}

function withText(head: string, text: string): string {
  return text === ''
    ? head
    : `${head}\n\nWhat it said last:\n\n${text.slice(0, COMMENT_CHARS).toWellFormed()}`;
}

function bounded(text: string, runId: string): string {
  if (text.length <= COMMENT_CHARS) return text;
  return `${text.slice(0, COMMENT_CHARS).toWellFormed()}\n\n[cut: ${text.length} characters in all; the run ${runId} keeps the whole]`;
}

/** A ticket that is gone is told nothing; what may pass is tried again with the event. */
async function unlessForGood(deps: RunsDeps, ref: DelegationRef, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error;
    deps.log.error({ err: error, ...ref }, 'a ticket could not be told of its run');
  }
}
