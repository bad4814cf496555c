import type { Clock } from '../kit/clock.ts';
import type { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import type { Log } from '../kit/log.ts';
import type { Runner } from '../runner/runner.ts';
import type { CommandReader } from './guard/shell/command-reader.ts';
import type { OperatorOf } from './mcp/operator.ts';
import type { ModelCatalogue } from './models/catalogue.ts';
import type { ProposeOrchestration, SubmitPlan } from './peers/orchestration-port.ts';
import type { ReviewsPort } from './peers/reviews-port.ts';
import type { SpacesPort } from './peers/spaces-port.ts';

export interface RunsDeps {
  databases: WorkspaceDatabases;
  /** Whole tool outputs are kept under `workspaces/<id>/runs/`. */
  dataDir: string;
  spaces: SpacesPort;
  reviews: ReviewsPort;
  proposeOrchestration: ProposeOrchestration;
  submitPlan: SubmitPlan;
  runner: Runner;
  models: ModelCatalogue;
  /** What a person can do in a workspace, for that person's own clients. */
  operatorOf: OperatorOf;
  /** Reads what shell commands do. */
  commandReader: () => Promise<CommandReader>;
  log: Log;
  clock: Clock;
  /** Called around effects outside the database; a crash test ends the process there. */
  onPoint?: ((name: string) => void) | undefined;
  /** Runs at once in a workspace, 8 unless told. */
  concurrency?: number | undefined;
  /** After which pauses a run that trouble of the model stopped goes on by itself; one to fifteen minutes unless told. */
  resumeDelaysMs?: readonly number[] | undefined;
  /** `host:port` that fetch_url may fetch from though they are not public; none unless told. */
  fetchAllow?: readonly string[] | undefined;
  /** How tool calls that come over the tool protocol wait for people. */
  mcp?: McpTimes | undefined;
  /** Values that must never show in tool output, entries or events. */
  secrets?: readonly string[] | undefined;
}

export const DEFAULT_CONCURRENCY = 8;

export interface McpTimes {
  /** The longest wait, ten minutes unless told. */
  heldMs?: number | undefined;
  /** Between two signs that the call is still waiting, ten seconds unless told. */
  beatMs?: number | undefined;
}
