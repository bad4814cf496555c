import type { Database } from '../../kit/database/database.ts';
import type { RunsDeps } from '../deps.ts';
import type { LiveRun } from './live-run.ts';
import type { LiveStreams } from './live-streams.ts';
export async function executeRun(
  _deps: RunsDeps,
  _streams: LiveStreams,
  _database: Database,
  _live: LiveRun,
): Promise<void> {}
