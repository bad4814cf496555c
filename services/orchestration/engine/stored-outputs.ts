import type { Clock } from '../../kit/clock.ts';
import type { Statement } from '../../kit/database/database.ts';
import type { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import type { RunRef, StepHost } from './engine.ts';
import { GroupCommits } from './group-commit.ts';

/** The part of a step host that is the same for every body: results in the workspace database, once each. */
export class StoredOutputs implements Pick<StepHost, 'begin' | 'commit'> {
  readonly #commits: GroupCommits<Statement[]>;

  constructor(
    private readonly databases: WorkspaceDatabases,
    private readonly clock: Clock,
  ) {
    const open = (workspaceId: string) => databases.open(workspaceId);
    this.#commits = new GroupCommits(open, { statementsOf: (statements) => statements, after: () => [] });
  }

  async begin(run: RunRef, step: string): Promise<{ fence: number; done: boolean }> {
    const [drawn] = await this.#commits.write(run.workspaceId, 'step.begin', [
      {
        sql: `INSERT INTO outputs (pipelineRunId, step, fence) VALUES (?, ?, 1)
          ON CONFLICT DO UPDATE SET fence = fence + 1 WHERE body IS NULL RETURNING fence`,
        args: [run.runId, step],
      },
    ]);
    // No fence is drawn for a result that is stored.
    const row = drawn?.rows[0];
    return row ? { fence: Number(row.fence), done: false } : { fence: 0, done: true };
  }

  async commit(
    run: RunRef,
    step: string,
    fence: number,
    output: unknown,
  ): Promise<'stored' | 'duplicate' | 'fenced'> {
    const [stored] = await this.#commits.write(run.workspaceId, 'step.commit', [
      {
        sql: `UPDATE outputs SET body = ?, storedAt = ?
          WHERE pipelineRunId = ? AND step = ? AND fence = ? AND body IS NULL`,
        args: [JSON.stringify(output ?? null), this.clock(), run.runId, step, fence],
      },
    ]);
    if (stored?.rowsAffected === 1) return 'stored';
    return (await this.read(run, [step])).has(step) ? 'duplicate' : 'fenced';
  }

  /** The outputs of the named steps that have one, by step key. */
  async read(run: RunRef, steps: readonly string[]): Promise<Map<string, unknown>> {
    const database = await this.databases.open(run.workspaceId);
    const rows = await database.read({
      sql: `SELECT step, body FROM outputs WHERE pipelineRunId = ? AND body IS NOT NULL
        AND step IN (SELECT value FROM json_each(?))`,
      args: [run.runId, JSON.stringify(steps)],
    });
    return new Map(rows.map((row) => [String(row.step), JSON.parse(String(row.body))]));
  }
}
