import { expect, test } from 'bun:test';
import { git, runRepositoryTests } from '../../scripts/demo/demo-repository.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { branchesOf, snapshotOf } from './snapshot.ts';
import { createStage, runApprovedJob, type Stage } from './stage.ts';

const SERVICE_TOKEN = 'a-token-shared-by-the-services';

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
  const servers = await startThree(stage);
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

/** Each service knows the others' addresses, so these are chosen first. */
async function startThree(stage: Stage): Promise<ServerProcess[]> {
  const names = ['spaces', 'runs', 'orchestration'];
  const ports = names.map(freePort);
  const urls = Object.fromEntries(
    names.map((name, i) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[i]}`]),
  );
  return Promise.all(
    names.map((name, i) =>
      startServerProcess({
        ...stage.env,
        ...urls,
        SERVICES: name,
        CONTROL_CENTER_PORT: String(ports[i]),
        CONTROL_CENTER_SERVICE_TOKEN: SERVICE_TOKEN,
      }),
    ),
  );
}

function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port as number;
}
