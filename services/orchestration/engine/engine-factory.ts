import type { Clock } from '../../kit/clock.ts';
import type { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import { silentLog } from '../../kit/log.ts';
import type { PipelineEngine, StepHost } from './engine.ts';
import { JournalEngine } from './journal-engine.ts';

export interface EngineSite {
  databases: WorkspaceDatabases;
  host: StepHost;
  clock: Clock;
  /** Bodies at once. */
  concurrency: number;
  leaseMs: number;
  retryBaseMs: number;
}

/** Makes an engine that is already at work over every workspace of the site. */
export type EngineFactory = (site: EngineSite) => PipelineEngine;

export const createEngine: EngineFactory = (site) => {
  const engine = new JournalEngine({ ...site, log: silentLog });
  engine.open();
  return engine;
};
