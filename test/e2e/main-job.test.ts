import { expect, test } from 'bun:test';
import { git, runRepositoryTests } from '../../scripts/demo/demo-repository.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { branchesOf, snapshotOf } from './snapshot.ts';
import { createStage, runApprovedJob, type Stage } from './stage.ts';
import { startThree } from './three-processes.ts';

test('goal, plan, one approval, work and deliverable, in one process', async () => {
  const stage = createStage();
  const server = await startServerProcess(stage.env);
  try {
    await checkMainJob(stage, server);
  } finally {
    await server.kill();
    await stage.remove();
  }
}, 120_000);

test('the same with spaces, runs and orchestration as three processes', async () => {
  const stage = createStage();
  const servers = await startThree(stage.env);
  try {
    await checkMainJob(stage, servers[0]!);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await stage.remove();
  }
}, 120_000);

async function checkMainJob(stage: Stage, server: ServerProcess): Promise<void> {
  expect(runRepositoryTests(stage.repository).passed).toBe(false);
  const { client, result } = runApprovedJob(stage, () => server.url);
  const job = await result;
  expect(job.end).toBe('completed');
  const snapshot = await snapshotOf(client, job, stage.repository);
  expect(snapshot).toMatchObject({
    agents: ['architect', 'ceo', 'engineer', 'export-engineer', 'librarian', 'qa'],
    projects: 1,
    teams: 1,
    commits: [
      'engineer: Count each line as often as its quantity says',
      'export-engineer: Export invoice lines as CSV',
      'qa: Note the fix and the export in the changelog',
    ],
    charges: 'exact',
  });
  expect(snapshot.tickets.filter((ticket) => ticket.endsWith(': done'))).toHaveLength(4);
  expect(job.orchestration).toMatchObject({ status: 'completed', costUnknown: false, gaps: [] });
  expect(git(stage.repository, 'status', '--porcelain')).toBe('');
  expect(branchesOf(stage.repository)).toEqual([
    `control-center/${job.conversationId}`,
    `${job.orchestration?.branch}`,
  ]);
  git(stage.repository, 'merge', '-q', '--ff-only', String(job.orchestration?.branch));
  expect(runRepositoryTests(stage.repository).passed).toBe(true);
  expect(stage.model.requests.filter((request) => request.problem !== null)).toEqual([]);
}
