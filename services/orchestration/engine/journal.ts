import type { Database, Row } from '../../kit/database/database.ts';
import { announceSteps } from './announce.ts';
import type { ClaimedStep } from './execution.ts';
import { type ClaimTerms, claimStep, expireLeases, openEpoch } from './transitions.ts';

/** The scheduler's view of one workspace's steps. */
export class Journal {
  private constructor(
    readonly workspaceId: string,
    private readonly open: () => Promise<Database>,
    readonly epoch: number,
  ) {}

  /** Takes the workspace over from any older process. */
  static async take(workspaceId: string, open: () => Promise<Database>, at: number): Promise<Journal> {
    const results = await (await open()).write('engine.epoch', openEpoch(at));
    return new Journal(workspaceId, open, Number(results.at(-1)?.rows[0]?.epoch));
  }

  async expire(at: number): Promise<void> {
    const [row] = await (await this.open()).read({
      sql: `SELECT count(*) AS expired FROM steps WHERE state = 'running' AND leaseUntil < ?`,
      args: [at],
    });
    if (Number(row?.expired) === 0) return;
    await (await this.open()).write('step.expire', expireLeases(at));
  }

  /** Claims up to `limit` steps, those first that have been ready longest. */
  async claim(limit: number, at: number, leaseUntil: number): Promise<ClaimedStep[]> {
    const rows = await (await this.open()).read({ sql: CANDIDATES, args: [at, limit] });
    const steps = rows.map((row) => claimedStep(this.workspaceId, row));
    if (steps.length === 0) return [];
    const terms: ClaimTerms = { epoch: this.epoch, leaseUntil, at };
    const runIds = [...new Set(steps.map((step) => step.runId))];
    const results = await (await this.open()).write('step.claim', [
      ...steps.map((step) => claimStep(step, terms)),
      ...runIds.flatMap((runId) => announceSteps(runId, at)),
    ]);
    return steps.filter((_, i) => results[i]?.rowsAffected === 1);
  }

  /** When the next backoff or lease ends, in epoch milliseconds; null without one. */
  async nextDueAt(at: number): Promise<number | null> {
    const [row] = await (await this.open()).read({
      sql: `SELECT min(due) AS due FROM (
          SELECT min(s.dueAt) AS due FROM steps s JOIN pipelineRuns r ON r.id = s.pipelineRunId
          WHERE s.state = 'ready' AND s.dueAt > ? AND r.status = 'running'
          UNION ALL SELECT min(leaseUntil) AS due FROM steps WHERE state = 'running')`,
      args: [at],
    });
    return row?.due == null ? null : Number(row.due);
  }
}

const CANDIDATES = `SELECT s.*, g.payload FROM steps s JOIN pipelineRuns r ON r.id = s.pipelineRunId
  LEFT JOIN stepSignals g ON g.pipelineRunId = s.pipelineRunId AND g.gate = s.gate
  WHERE s.state = 'ready' AND s.dueAt <= ? AND r.status = 'running'
  ORDER BY s.dueAt, s.pipelineRunId, s.position LIMIT ?`;

function claimedStep(workspaceId: string, row: Row): ClaimedStep {
  const payload = row.payload == null ? null : JSON.parse(String(row.payload));
  return {
    workspaceId,
    runId: String(row.pipelineRunId),
    step: String(row.key),
    fence: Number(row.fence) + 1,
    round: Number(row.round),
    attempt: Number(row.attempt),
    maxAttempts: Number(row.maxAttempts),
    timeoutMs: row.timeoutMs == null ? null : Number(row.timeoutMs),
    idempotent: Number(row.idempotent) === 1,
    interrupted: Number(row.interrupted) === 1,
    received: row.payload == null ? null : { gate: String(row.gate), payload },
  };
}
