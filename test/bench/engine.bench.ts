import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../services/kit/clock.ts';
import { WorkspaceDatabases } from '../../services/kit/database/workspace-databases.ts';
import { silentLog } from '../../services/kit/log.ts';
import { Wakes } from '../../services/kit/wakes.ts';
import { JournalEngine } from '../../services/orchestration/engine/journal-engine.ts';
import { StoredOutputs } from '../../services/orchestration/engine/stored-outputs.ts';
import { MIGRATIONS } from '../../services/orchestration/migrations.ts';
import type { BenchRow } from './core.bench.ts';

const STEPS = 200;
const ROUNDS = 7;
const WORKSPACE = 'ws_bench';

/** Steps a second with empty bodies against plain commits a second, on the same disk, round by round. */
export async function engineBench(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engine-bench-'));
  const databases = new WorkspaceDatabases({ dataDir, migrations: [MIGRATIONS], wakes: new Wakes() });
  const database = await databases.create(WORKSPACE);
  await database.write('bench.table', [{ sql: 'CREATE TABLE bench (n INTEGER) STRICT', args: [] }]);
  const outputs = new StoredOutputs(databases, systemClock);
  const host = {
    begin: outputs.begin.bind(outputs),
    commit: outputs.commit.bind(outputs),
    execute: async () => ({ kind: 'done' as const, output: null }),
  };
  const engine = new JournalEngine({ databases, host, clock: systemClock, log: silentLog });
  engine.open();
  const ratios: number[] = [];
  let last = { steps: 0, commits: 0 };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const commits = await rate(STEPS, async () => {
        for (let i = 0; i < STEPS; i++)
          await database.write('bench.row', [{ sql: 'INSERT INTO bench VALUES (?)', args: [i] }]);
      });
      const steps = await rate(STEPS, () => runPipeline(engine, databases, `prn_bench${round}`));
      ratios.push(steps / commits);
      last = { steps, commits };
    }
  } finally {
    await engine.stop();
    await databases.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  ratios.sort((a, b) => a - b);
  const at = (p: number) => ratios[Math.round((ratios.length - 1) * p)]!;
  const detail = `${last.steps.toFixed(0)} steps/s, ${last.commits.toFixed(0)} commits/s in the last round`;
  return [
    {
      name: 'engine steps against raw commits',
      ratio: at(0.5),
      p10: at(0.1),
      p90: at(0.9),
      floor: 0.5,
      unit: 'steps/s ÷ commits/s',
      detail,
    },
  ];
}

async function rate(count: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (count * 1000) / (performance.now() - startedAt);
}

/** A fan-out of independent steps, started and awaited. */
async function runPipeline(
  engine: JournalEngine,
  databases: WorkspaceDatabases,
  runId: string,
): Promise<void> {
  const steps = Array.from({ length: STEPS }, (_, i) => ({
    key: `s${i}`,
    needs: [],
    idempotent: true,
    tolerateFailure: false,
    timeoutMs: null,
    maxAttempts: 3,
  }));
  await engine.start({ workspaceId: WORKSPACE, runId, subject: runId, steps });
  const database = await databases.open(WORKSPACE);
  const left = {
    sql: "SELECT count(*) AS n FROM steps WHERE pipelineRunId = ? AND state <> 'done'",
    args: [runId],
  };
  for (;;) {
    const woken = databases.wakes.wait(WORKSPACE, 100);
    if (Number((await database.read(left))[0]?.n) === 0) return;
    await woken;
  }
}
