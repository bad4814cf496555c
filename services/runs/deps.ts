import type { Clock } from '../kit/clock.ts';
import type { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import type { Log } from '../kit/log.ts';
import type { Runner } from '../runner/runner.ts';
import type { CommandReader } from './guard/command-reader.ts';
import type { ModelCatalogue } from './models/catalogue.ts';
import type { ProposeOrchestration, SubmitPlan } from './peers/orchestration-port.ts';
import type { SpacesPort } from './peers/spaces-port.ts';

export interface RunsDeps {
  databases: WorkspaceDatabases;
  /** Whole tool outputs are kept under `workspaces/<id>/runs/`. */
  dataDir: string;
  spaces: SpacesPort;
  proposeOrchestration: ProposeOrchestration;
  submitPlan: SubmitPlan;
  runner: Runner;
  models: ModelCatalogue;
  /** Reads what shell commands do. */
  commandReader: () => Promise<CommandReader>;
  log: Log;
  clock: Clock;
  /** Called around effects outside the database; a crash test ends the process there. */
  onPoint?: ((name: string) => void) | undefined;
  /** Runs at once in a workspace, 8 unless told. */
  concurrency?: number | undefined;
  /** Values that must never show in tool output, entries or events. */
  secrets?: readonly string[] | undefined;
}

export const DEFAULT_CONCURRENCY = 8;
