import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { insertEntry } from '../entries/store.ts';
import type { UserEntry } from '../harness/journal.ts';
import { quotedBody } from '../prompt/conversation-prompt.ts';
import type { NameOf } from '../prompt/names.ts';
import { type Holding, holds, lostHold } from '../runs/holding.ts';
import { runEvent } from '../runs/run.ts';
import { redact } from '../tools/output.ts';
import { type SteeringMessage, unreadMessages } from './store.ts';

export interface Taking extends Holding {
  agentId: string;
  budgetScope: string | null;
  /** Asked only when there is something to take. */
  names(): Promise<NameOf>;
  /** None of these is told to a model. */
  secrets: readonly string[];
  at: number;
}

/**
 * Takes what was said to a run since the last time into its journal, in one commit.
 * @returns the new entries, in the order of the journal
 * @throws Fault conflict when the run is no longer held
 */
export async function takeMessages(database: Database, taking: Taking): Promise<UserEntry[]> {
  const messages = await unreadMessages(database, taking.runId);
  if (messages.length === 0) return [];
  const nameOf = await taking.names();
  const entries = messages.map((message) => entryOf(message, nameOf, taking.secrets));
  const fence = holds(taking);
  const results = await database.write('run.steer', [
    ...messages.flatMap((message, index) => takeOne(message, entries[index] as UserEntry, taking)),
    { sql: `SELECT ${fence.sql} AS held`, args: fence.args },
  ]);
  if (Number(results.at(-1)?.rows[0]?.held) !== 1) throw lostHold(taking.runId);
  return entries;
}

/** Who holds the run is the only one that takes, so what was unread a moment ago still is. */
function takeOne({ messageId, agentId }: SteeringMessage, entry: UserEntry, taking: Taking): Statement[] {
  const { runId, at, budgetScope } = taking;
  const run = { id: runId, agentId: taking.agentId, budgetScope };
  const fence = holds(taking);
  return [
    insertEntry(taking, entry, at),
    eventIfChanged(runEvent(run, 'run.steered', at, { messageId })),
    {
      sql: `UPDATE runMessages SET takenAt = ? WHERE messageId = ? AND agentId = ? AND runId = ? AND ${fence.sql}`,
      args: [at, messageId, agentId, runId, ...fence.args],
    },
  ];
}

function entryOf({ author, body }: SteeringMessage, nameOf: NameOf, secrets: readonly string[]): UserEntry {
  const text = `${nameOf(author)} writes to you while you work:\n\n${quotedBody(redact(body, secrets))}`;
  return { kind: 'user', cause: 'message', text };
}
