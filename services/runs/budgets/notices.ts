import * as z from 'zod';
import type { Database } from '../../kit/database/database.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { isAnswered } from '../dispatch/last-words.ts';
import type { NewMessage } from '../peers/spaces-port.ts';
import type { RunRow } from '../runs/schema.ts';
import { findRow } from '../runs/store.ts';
import { goOnIfRoom } from './caps.ts';
import { nameOf, raising, spentText } from './wording.ts';

const Warned = z.object({
  target: z.string(),
  capMicros: z.number(),
  spentMicros: z.number(),
  unknownCalls: z.number(),
  unknownMicros: z.number(),
  runId: z.string(),
  agentName: z.string(),
  conversationId: z.string().nullable(),
});

/**
 * Tells people in the run's conversation of a budget that is nearly used, and of a stop that the run's own last words do not
 * tell. A run whose budget was raised just as it stopped goes on.
 * @returns true when a run was queued
 * @throws Fault of spaces when it is one that may pass; the event is handled again then
 */
export async function tellOfBudget(
  deps: RunsDeps,
  workspaceId: string,
  database: Database,
  event: WorkspaceEvent,
): Promise<boolean> {
  if (event.type === 'budget.warned') await tellNearlyUsed(deps, workspaceId, event);
  if (event.type !== 'run.paused' || event.data.errorFamily !== 'budget') return false;
  if (await goOnIfRoom(database, event.subject, deps.clock())) return true;
  await tellStop(deps, workspaceId, await findRow(database, event.subject));
  return false;
}

async function tellNearlyUsed(deps: RunsDeps, workspaceId: string, event: WorkspaceEvent): Promise<void> {
  const warned = Warned.safeParse(event.data);
  if (!warned.success) {
    deps.log.error(
      { err: warned.error, seq: event.seq },
      'a budget event cannot be read and was passed over',
    );
    return;
  }
  const { target, conversationId, capMicros, runId, agentName } = warned.data;
  const scope = { scope: event.subject, target, fallback: null };
  const name = nameOf(scope, agentName);
  await post(deps, workspaceId, conversationId, {
    kind: 'notice',
    body: `${name} is nearly used: ${spentText(warned.data)}. Its runs are told to finish, and pause at the cap. ${raising(scope)}`,
    data: { runId, budget: event.subject, capMicros },
    key: `budget/${event.subject}/${capMicros}/warned`,
  });
}

/** What a run says itself when it pauses, it says to those who woke it; what an orchestration shares, that asks about. */
async function tellStop(deps: RunsDeps, workspaceId: string, row: RunRow): Promise<void> {
  const { budgetStop, summary, status } = row;
  if (status !== 'paused' || budgetStop === null || budgetStop.scope === row.budgetScope) return;
  if (row.parentRunId !== null || isAnswered(row)) return;
  await post(deps, workspaceId, row.conversationId, {
    kind: 'notice',
    body: `The run is paused (budget): ${summary}`,
    data: { runId: row.id, budget: budgetStop.scope },
    key: `${row.id}/budget/${Bun.hash(String(summary)).toString(36)}`,
  });
}

async function post(
  deps: RunsDeps,
  workspaceId: string,
  conversationId: string | null,
  message: NewMessage,
): Promise<void> {
  if (conversationId === null) return;
  try {
    await deps.spaces.postMessage('service:runs', workspaceId, conversationId, message);
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error;
    deps.log.error({ err: error, conversationId }, 'a notice about a budget could not be posted');
  }
}
