import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import { Wakes } from '../../kit/wakes.ts';
import { MIGRATIONS } from '../migrations.ts';
import type { PipelineEngine, Plan, PlanStep, RunRef, StepContext, StepHost, StepResult } from './engine.ts';
import type { EngineFactory, EngineSite } from './engine-factory.ts';
import { StoredOutputs } from './stored-outputs.ts';

export type Body = (context: StepContext) => Promise<StepResult>;
export interface StepFacts {
  state: string;
  attempt: number;
  error: string | null;
}

export const WORKSPACE = 'ws_bench';
export const RUN: RunRef = { workspaceId: WORKSPACE, runId: 'plr_1' };

/** A step of a test's plan: needs by key, idempotent and tried three times unless told otherwise. */
export function step(key: string, needs: string[] = [], over: Partial<PlanStep> = {}): PlanStep {
  return { key, needs, idempotent: true, tolerateFailure: false, timeoutMs: null, maxAttempts: 3, ...over };
}

export function planOf(steps: PlanStep[], run: RunRef = RUN): Plan {
  return { ...run, subject: 'orc_1', steps };
}

/** One engine under test over real database files; the bodies are the test's. */
export class ConformanceBench {
  readonly dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'engine-'));
  readonly databases: WorkspaceDatabases;
  readonly outputs: StoredOutputs;
  readonly calls: string[] = [];
  readonly engines: PipelineEngine[] = [];
  body: Body = async () => ({ kind: 'done', output: null });

  constructor(private readonly create: EngineFactory) {
    this.databases = new WorkspaceDatabases({
      dataDir: this.dir,
      migrations: [MIGRATIONS],
      wakes: new Wakes(),
    });
    this.outputs = new StoredOutputs(this.databases, Date.now);
  }

  async open(body: Body, over: Partial<EngineSite> = {}, workspaces = [WORKSPACE]): Promise<PipelineEngine> {
    for (const workspaceId of workspaces) await this.databases.create(workspaceId);
    this.body = body;
    const host: StepHost = {
      begin: (run, key) => this.outputs.begin(run, key),
      commit: (run, key, fence, output) => this.outputs.commit(run, key, fence, output),
      execute: (context) => {
        this.calls.push(context.step);
        return this.body(context);
      },
    };
    const site = {
      databases: this.databases,
      host,
      clock: Date.now,
      concurrency: 8,
      leaseMs: 30_000,
      retryBaseMs: 5,
    };
    const engine = this.create({ ...site, ...over });
    this.engines.push(engine);
    return engine;
  }

  async steps(run: RunRef = RUN): Promise<Record<string, StepFacts>> {
    const database = await this.databases.open(run.workspaceId);
    const sql = 'SELECT key, state, attempt, error FROM steps WHERE pipelineRunId = ? ORDER BY position';
    const rows = await database.read({ sql, args: [run.runId] });
    return Object.fromEntries(
      rows.map(({ key, state, attempt, error }) => [
        String(key),
        { state: String(state), attempt: Number(attempt), error: error === null ? null : String(error) },
      ]),
    );
  }

  async states(run: RunRef = RUN): Promise<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(await this.steps(run)).map(([key, facts]) => [key, facts.state]),
    );
  }

  async status(run: RunRef = RUN): Promise<string | null> {
    const database = await this.databases.open(run.workspaceId);
    const sql = 'SELECT status FROM pipelineRuns WHERE id = ?';
    const [row] = await database.read({ sql, args: [run.runId] });
    return row ? String(row.status) : null;
  }

  async until(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
    const giveUpAt = Date.now() + 15_000;
    while (!(await condition())) {
      if (Date.now() > giveUpAt) throw new Error(`waited in vain: ${what}`);
      await this.databases.wakes.wait(WORKSPACE, 10);
    }
  }

  statusIs(status: string, run: RunRef = RUN): Promise<void> {
    return this.until(`the run is ${status}`, async () => (await this.status(run)) === status);
  }

  stateIs(key: string, state: string): Promise<void> {
    return this.until(`${key} is ${state}`, async () => (await this.states())[key] === state);
  }

  async close(): Promise<void> {
    for (const engine of this.engines) await engine.stop();
    await this.databases.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
