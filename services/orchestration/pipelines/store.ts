import { type Pipeline, pipelineJson } from '../../../core-wasm/core.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Row } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import { newId } from '../../kit/id.ts';
import type { RunRef, StepState } from '../engine/engine.ts';
import type { OrchestrationDetail } from '../orchestrations/orchestration.ts';
import type { Tokens } from '../orchestrations/schema.ts';
import type { RunEnd } from '../ports.ts';

export interface StepRow {
  key: string;
  state: StepState;
  attempt: number;
  startedAt: number | null;
  endedAt: number | null;
  error: string | null;
}

export interface StepUsage {
  /** The newest run, and whether its end is on record. */
  runId: string;
  isOver: boolean;
  /** Of the runs that have ended; null when that of one is unknown, and before the first. */
  costMicros: number | null;
  isUnknown: boolean;
  tokens: Tokens;
}

export type PipelineStatus = NonNullable<OrchestrationDetail['pipelineStatus']>;

/** Pipeline templates, and what their runs have come to. */
export class PipelineStore {
  /** The template read last: it never changes, and each step of a plan asks for the same one. */
  #latest: { orchestrationId: string; pipeline: Pipeline } | null = null;

  constructor(
    private readonly databases: WorkspaceDatabases,
    private readonly clock: Clock,
  ) {}

  /** Keeps the template and draws the id of its run, once for each orchestration; a later call changes nothing. */
  async adopt(workspaceId: string, orchestrationId: string, pipeline: Pipeline): Promise<void> {
    const database = await this.databases.open(workspaceId);
    const at = this.clock();
    const runId = newId('plr', at);
    await database.write('pipeline.create', [
      {
        sql: `UPDATE orchestrations SET pipelineRunId = ?, updatedAt = ?, version = version + 1
          WHERE id = ? AND status = 'approved' AND pipelineRunId IS NULL`,
        args: [runId, at, orchestrationId],
      },
      {
        sql: 'INSERT INTO pipelines (id, orchestrationId, body, createdAt) SELECT ?, ?, ?, ? WHERE changes() > 0',
        args: [newId('pip', at), orchestrationId, pipelineJson(pipeline), at],
      },
      eventIfChanged({
        ...{ at, actor: 'service:orchestration', type: 'pipeline.created', subject: runId },
        data: { orchestrationId, steps: pipeline.steps.length },
      }),
    ]);
  }

  /** The template of an orchestration; null before it was materialized. */
  async template(workspaceId: string, orchestrationId: string): Promise<Pipeline | null> {
    if (this.#latest?.orchestrationId === orchestrationId) return this.#latest.pipeline;
    const database = await this.databases.open(workspaceId);
    const [row] = await database.read({
      sql: 'SELECT body FROM pipelines WHERE orchestrationId = ?',
      args: [orchestrationId],
    });
    if (!row) return null;
    const pipeline = JSON.parse(String(row.body)) as Pipeline;
    this.#latest = { orchestrationId, pipeline };
    return pipeline;
  }

  /** Status and owner of a run; null for an id that is not one. */
  async run(run: RunRef): Promise<{ status: PipelineStatus; orchestrationId: string } | null> {
    const database = await this.databases.open(run.workspaceId);
    const [row] = await database.read({
      sql: 'SELECT status, subject FROM pipelineRuns WHERE id = ?',
      args: [run.runId],
    });
    return row ? { status: row.status as PipelineStatus, orchestrationId: String(row.subject) } : null;
  }

  async steps(run: RunRef): Promise<StepRow[]> {
    const database = await this.databases.open(run.workspaceId);
    const rows = await database.read({
      sql: `SELECT key, state, attempt, startedAt, endedAt, error FROM steps WHERE pipelineRunId = ? ORDER BY position`,
      args: [run.runId],
    });
    return rows.map(stepRowOf);
  }

  /** Names of the gates that have been signalled, whether a step waits there yet or not. */
  async signalledGates(run: RunRef): Promise<Set<string>> {
    const database = await this.databases.open(run.workspaceId);
    const sql = 'SELECT gate FROM stepSignals WHERE pipelineRunId = ?';
    const rows = await database.read({ sql, args: [run.runId] });
    return new Set(rows.map((row) => String(row.gate)));
  }

  /** Remembers which run works on a step, before anyone waits for it. */
  async recordRun(run: RunRef, step: string, runId: string): Promise<void> {
    const database = await this.databases.open(run.workspaceId);
    await database.write('step.dispatch', [
      {
        sql: 'INSERT INTO stepRuns (runId, pipelineRunId, step, createdAt) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        args: [runId, run.runId, step, this.clock()],
      },
    ]);
  }

  /** Enters what an ended run used and rolls it up to the orchestration, once however often it is told. */
  async recordUsage(run: RunRef, step: string, runId: string, end: RunEnd): Promise<void> {
    const database = await this.databases.open(run.workspaceId);
    const at = this.clock();
    const { input, output, cacheRead, cacheWrite } = end.tokens;
    await database.write('step.usage', [
      {
        sql: `INSERT INTO stepRuns (runId, pipelineRunId, step, status, costMicros, input, output, cacheRead, cacheWrite,
            createdAt, endedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET status = excluded.status, costMicros = excluded.costMicros, input = excluded.input,
            output = excluded.output, cacheRead = excluded.cacheRead, cacheWrite = excluded.cacheWrite,
            endedAt = excluded.endedAt WHERE endedAt IS NULL`,
        args: [
          runId,
          run.runId,
          step,
          end.status,
          end.costMicros,
          input,
          output,
          cacheRead,
          cacheWrite,
          at,
          at,
        ],
      },
      { sql: ROLL_UP, args: [run.runId, run.runId] },
    ]);
  }

  /** Of each step: its newest run, and what all its ended runs used. */
  async usage(run: RunRef): Promise<Map<string, StepUsage>> {
    const database = await this.databases.open(run.workspaceId);
    const rows = await database.read({
      sql: `SELECT step, max(runId) AS runId, max(CASE WHEN endedAt IS NOT NULL THEN runId END) AS endedRunId,
          sum(costMicros) AS costMicros,
          sum(endedAt IS NOT NULL AND costMicros IS NULL) AS unknown, sum(input) AS input, sum(output) AS output,
          sum(cacheRead) AS cacheRead, sum(cacheWrite) AS cacheWrite
        FROM stepRuns WHERE pipelineRunId = ? GROUP BY step`,
      args: [run.runId],
    });
    return new Map(rows.map((row) => [String(row.step), usageOf(row)]));
  }
}

const ROLL_UP = `WITH used AS (SELECT * FROM stepRuns WHERE pipelineRunId = ? AND endedAt IS NOT NULL)
  UPDATE orchestrations SET
    spentMicros = (SELECT coalesce(sum(costMicros), 0) FROM used),
    costUnknown = EXISTS (SELECT 1 FROM used WHERE costMicros IS NULL),
    tokens = (SELECT json_object('input', coalesce(sum(input), 0), 'output', coalesce(sum(output), 0),
      'cacheRead', coalesce(sum(cacheRead), 0), 'cacheWrite', coalesce(sum(cacheWrite), 0)) FROM used),
    version = version + 1
  WHERE id = (SELECT subject FROM pipelineRuns WHERE id = ?)`;

function stepRowOf(row: Row): StepRow {
  return {
    key: String(row.key),
    state: row.state as StepState,
    attempt: Number(row.attempt),
    startedAt: row.startedAt == null ? null : Number(row.startedAt),
    endedAt: row.endedAt == null ? null : Number(row.endedAt),
    error: row.error == null ? null : String(row.error),
  };
}

function usageOf(row: Row): StepUsage {
  const isUnknown = Number(row.unknown) > 0;
  return {
    runId: String(row.runId),
    isOver: row.runId === row.endedRunId,
    costMicros: isUnknown || row.costMicros == null ? null : Number(row.costMicros),
    isUnknown,
    tokens: {
      input: Number(row.input),
      output: Number(row.output),
      cacheRead: Number(row.cacheRead),
      cacheWrite: Number(row.cacheWrite),
    },
  };
}
