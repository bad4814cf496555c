import type { Database } from '../../kit/database/database.ts';
import { readEntries } from '../entries/store.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import type { RunRow } from '../runs/schema.ts';

/** The outcome of a run that is not taken up again, since servers go down with it. */
export async function deadOutcome(database: Database, { id, crashes }: RunRow): Promise<HarnessOutcome> {
  const entries = (await readEntries(database, id)).map(({ entry }) => entry);
  const finished = new Set(entries.flatMap((entry) => (entry.kind === 'toolFinished' ? [entry.callId] : [])));
  const open = entries.flatMap((entry) =>
    entry.kind === 'toolStarted' && !finished.has(entry.callId) ? [entry.name] : [],
  );
  const at = open.length === 0 ? 'No call had begun.' : `What had begun: ${open.join(', ')}.`;
  return {
    ...{ status: 'failed', liveness: 'dead', errorFamily: 'crashed', output: null, waitingFor: null },
    summary: `The server went down ${crashes} times while this run was at work, and it came no step further in between, so it is not taken up again. ${at} Look into the server's log, then write again.`,
  };
}
