import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../scripts/cli/client/client.ts';
import { runMainJob } from '../../scripts/cli/main-job.ts';
import { DEMO_GOAL } from '../../scripts/demo/demo-proposal.ts';
import { Database } from '../../services/kit/database/database.ts';
import type { WorkspaceEvent } from '../../services/kit/database/event-log.ts';
import { ownerToken, startServerProcess } from '../e2e/server-process.ts';
import { createStage, type Stage } from '../e2e/stage.ts';
import type { BenchRow } from './core.bench.ts';

const JOBS = 5;

/**
 * From the approval to the first step, through hire, team, project, tickets, budget and pipeline, against the time that
 * as many plain commits take on the same disk. Each of these is a call to another service, with its checks and its event.
 */
export async function approvalBench(): Promise<BenchRow[]> {
  const commits = await commitsOnTheWay();
  const stage = createStage();
  const server = await startServerProcess(stage.env);
  const times: number[] = [];
  const plain: number[] = [];
  try {
    for (let i = 0; i < JOBS; i++) {
      plain.push(commits * (await rawCommitMs()));
      times.push(await approvalToFirstStep(stage, server.url, `job-${i}`));
    }
  } finally {
    server.kill();
    await stage.remove();
  }
  const ratios = times.map((time, i) => time / plain[i]!).sort((a, b) => a - b);
  const at = (p: number) => ratios[Math.round((ratios.length - 1) * p)]!;
  const median = times.toSorted((a, b) => a - b)[times.length >> 1]!;
  const detail = `median ${median} ms for ${commits} commits`;
  return [
    {
      name: 'approval to first step',
      ...{ ratio: at(0.5), p10: at(0.1), p90: at(0.9), floor: null, detail },
      unit: 'time ÷ that of as many raw commits',
    },
  ];
}

async function approvalToFirstStep(stage: Stage, url: string, workspaceName: string): Promise<number> {
  const client = createClient({ url, token: ownerToken(stage.dataDir), patienceMs: 5_000 });
  const { repository } = stage;
  const decide = async () => 'approve' as const;
  const { workspaceId } = await runMainJob(client, { workspaceName, repository, goal: DEMO_GOAL, decide });
  const response = await client.send(`/api/workspaces/${workspaceId}/events?limit=1000`);
  const { items } = (await response.json()) as { items: WorkspaceEvent[] };
  const timeOf = (type: string) => items.find((event) => event.type === type)!.at;
  return Math.max(1, timeOf('step.started') - timeOf('orchestration.approved'));
}

/** Counted in a job of its own, since writing the list of points takes time. */
async function commitsOnTheWay(): Promise<number> {
  const stage = createStage();
  const pointLog = join(stage.dataDir, 'points');
  const server = await startServerProcess({ ...stage.env, CONTROL_CENTER_POINT_LOG: pointLog });
  try {
    await approvalToFirstStep(stage, server.url, 'count');
    const points = readFileSync(pointLog, 'utf8').split('\n');
    const way = points.slice(
      points.indexOf('orchestration.approve:after') + 1,
      points.indexOf('step.begin:before'),
    );
    return way.filter((point) => point.endsWith(':after') && !/^(spaces|runs)\.|directory/.test(point))
      .length;
  } finally {
    server.kill();
    await stage.remove();
  }
}

async function rawCommitMs(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'raw-commits-'));
  const database = await Database.open(`file:${join(directory, 'raw.db')}`);
  await database.write('raw.table', [{ sql: 'CREATE TABLE raw (n INTEGER) STRICT', args: [] }]);
  const count = 100;
  const startedAt = performance.now();
  for (let i = 0; i < count; i++)
    await database.write('raw.row', [{ sql: 'INSERT INTO raw VALUES (?)', args: [i] }]);
  const took = performance.now() - startedAt;
  database.close();
  rmSync(directory, { recursive: true, force: true });
  return took / count;
}
