import type { Clock } from '../kit/clock.ts';
import type { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import type { Log } from '../kit/log.ts';
import type { PipelineEngine } from './engine/engine.ts';
import type { Lanes } from './lanes.ts';
import type { RevisionStore } from './orchestrations/revision-store.ts';
import type { OrchestrationStore } from './orchestrations/store.ts';
import type { PipelineStore } from './pipelines/store.ts';
import type { RunsOf, SpacesOf } from './ports.ts';

/** What every part of the service works with. */
export interface Bench {
  databases: WorkspaceDatabases;
  store: OrchestrationStore;
  revisions: RevisionStore;
  pipelines: PipelineStore;
  engine: PipelineEngine;
  spaces: SpacesOf;
  runs: RunsOf;
  lanes: Lanes;
  clock: Clock;
  log: Log;
}
