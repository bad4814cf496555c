import { afterEach, expect, test } from 'bun:test';
import { Fault } from '../../services/kit/fault.ts';
import { type Client, createClient } from './client/client.ts';
import type { JobProgress } from './job/job.ts';
import { type MainJobOptions, runMainJob } from './main-job.ts';
import {
  type FakeServer,
  type FakeState,
  MESSAGE,
  type RecordedWrite,
  startFakeServer,
  TOKEN,
} from './testing/fake-server.ts';
import { sampleApproval, sampleOrchestration, sampleRun, sampleStep } from './testing/sample.ts';

let server: FakeServer | null = null;
afterEach(() => server?.kill());

function start(
  onWrite: FakeState['onWrite'],
  change: Partial<FakeState> = {},
): { fake: FakeServer; client: Client } {
  const fake = startFakeServer({ ...change, onWrite });
  server = fake;
  return { fake, client: createClient({ url: fake.url, token: TOKEN, patienceMs: 10_000 }) };
}

function run(client: Client, change: Partial<MainJobOptions> = {}) {
  return runMainJob(client, {
    repository: '/somewhere',
    goal: 'Add a health endpoint',
    key: 'k',
    decide: async () => 'approve',
    signal: AbortSignal.timeout(20_000),
    ...change,
  });
}

const orchestration = sampleOrchestration();

/** The leading agent proposes at once. */
function propose(fake: FakeServer): void {
  fake.state.runs = [sampleRun()];
  fake.state.orchestrations = [sampleOrchestration()];
  fake.emit('orchestration.proposed', orchestration.id, { messageId: MESSAGE });
}

function complete(fake: FakeServer): void {
  const steps = [sampleStep({ state: 'done' })];
  const done = { approvedRevision: 1, deliverable: 'All done.', gaps: [], steps } as const;
  fake.state.orchestrations = [
    sampleOrchestration({ status: 'completed', ...done, steps: [...steps], gaps: [] }),
  ];
  fake.emit('orchestration.completed', orchestration.id);
}

function happyPath(write: RecordedWrite, fake: FakeServer): void {
  if (write.path.endsWith('/messages')) propose(fake);
  if (write.path.endsWith('/approve')) complete(fake);
}

test('a goal becomes a proposal, an approval and a deliverable, and every write has a key', async () => {
  const { fake, client } = start(happyPath);
  const result = await run(client);
  expect(result.end).toBe('completed');
  expect(result.orchestration?.deliverable).toBe('All done.');
  expect(result.steps.map((step) => step.key)).toEqual(['ticket/api']);
  expect(fake.state.writes.map(({ path, key }) => ({ path, key }))).toEqual([
    { path: '/spaces', key: 'k/space' },
    { path: '/conversations/cnv_0000000000000000000001/messages', key: 'k/message' },
    { path: `/orchestrations/${orchestration.id}/approve`, key: `k/approve/${orchestration.id}/1` },
  ]);
});

test('the revision that was shown is the one approved', async () => {
  const { fake, client } = start((write, fake) => {
    if (write.path.endsWith('/messages')) propose(fake);
    if (write.path.endsWith('/approve')) complete(fake);
  });
  const seen: number[] = [];
  await run(client, {
    decide: async ({ revision }) => {
      seen.push(revision);
      if (revision > 1) return 'approve';
      fake.state.orchestrations = [sampleOrchestration({ revision: 2 })];
      return 'reread';
    },
  });
  expect(seen).toEqual([1, 2]);
  expect(fake.state.writes.at(-1)?.body).toEqual({ revision: 2 });
});

test('a prompt is given up when someone else decides meanwhile', async () => {
  const { client } = start(happyPath);
  const result = await run(client, {
    decide: (_, signal) => {
      const settled = new Promise<'reread'>((resolve) =>
        signal.addEventListener('abort', () => resolve('reread')),
      );
      if (server) complete(server);
      return settled;
    },
  });
  expect(result.end).toBe('completed');
});

test('a proposal left undecided ends the job as waiting, with nothing decided', async () => {
  const { fake, client } = start(happyPath);
  const result = await run(client, { decide: async () => 'leave' });
  expect([result.end, result.orchestrationId]).toEqual(['waiting', orchestration.id]);
  expect(fake.state.writes.some(({ path }) => path.endsWith('/approve'))).toBe(false);
});

test('a rejection carries its reason', async () => {
  const { fake, client } = start(happyPath);
  const result = await run(client, { decide: async () => ({ reject: 'Too dear.' }) });
  expect(result.end).toBe('rejected');
  expect(fake.state.writes.at(-1)?.body).toEqual({ reason: 'Too dear.' });
});

test('a question is answered once, with the digest of what was read', async () => {
  const { fake, client } = start((write, fake) => {
    if (write.path.endsWith('/messages')) {
      fake.state.runs = [sampleRun()];
      fake.state.approvals = [sampleApproval()];
      fake.emit('approval.requested', 'apr_0000000000000000000001', { messageId: MESSAGE });
    }
    if (write.path.endsWith('/decision')) {
      fake.state.approvals = [];
      propose(fake);
    }
    if (write.path.endsWith('/approve')) complete(fake);
  });
  const result = await run(client, { answer: async () => ({ decision: 'approved', answer: '8080' }) });
  expect(result.end).toBe('completed');
  const answers = fake.state.writes.filter(({ path }) => path.endsWith('/decision'));
  expect(answers.map(({ body }) => body)).toEqual([{ decision: 'approved', answer: '8080', digest: 'd1' }]);
});

test('an agent that answers without a proposal ends the job as answered', async () => {
  const { client } = start((write, fake) => {
    if (!write.path.endsWith('/messages')) return;
    fake.state.runs = [sampleRun({ status: 'completed', output: { text: 'Forty-two.', value: null } })];
    fake.emit('run.ended', 'run_0000000000000000000001');
  });
  const result = await run(client, { mode: 'chat' });
  expect([result.end, result.run?.output?.text]).toEqual(['answered', 'Forty-two.']);
});

test('a first run that fails fails the job, and a paused one ends it unless resumed', async () => {
  const failed = start((write, fake) => {
    if (write.path.endsWith('/messages')) fake.state.runs = [sampleRun({ status: 'failed' })];
  });
  expect((await run(failed.client)).end).toBe('runFailed');
  await failed.fake.kill();
  const paused = start((write, fake) => {
    if (write.path.endsWith('/messages')) fake.state.runs = [sampleRun({ status: 'paused' })];
    if (write.path.endsWith('/resume')) fake.state.runs = [sampleRun({ status: 'completed' })];
  });
  expect((await run(paused.client)).end).toBe('runPaused');
  expect((await run(paused.client, { resume: async () => true })).end).toBe('answered');
});

test('a server killed at any write comes back and the job goes on, with the same keys', async () => {
  const paths = ['/spaces', '/messages', '/approve'];
  for (const fatal of paths) {
    let killed = false;
    const { fake, client } = start(async (write, fake) => {
      happyPath(write, fake);
      if (killed || !write.path.endsWith(fatal)) return;
      killed = true;
      // The write took effect, but its answer is lost with the process.
      void fake.kill().then(() => fake.restart());
      await new Promise(() => undefined);
    });
    const result = await run(client);
    expect([fatal, result.end]).toEqual([fatal, 'completed']);
    const keys = fake.state.writes.filter(({ path }) => path.endsWith(fatal)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
    expect(keys.length).toBeGreaterThan(1);
    await fake.kill();
  }
});

test('a server that restarts while work goes on loses no event and repeats none', async () => {
  const told: number[] = [];
  let interruptions = 0;
  const { fake, client } = start(async (write, fake) => {
    happyPathUpToWork(write, fake);
  });
  const onProgress = (progress: JobProgress) => {
    if (progress.type === 'interrupted') interruptions += 1;
    if (progress.type !== 'event') return;
    told.push(progress.event.seq);
    if (progress.event.type === 'orchestration.executing') void restartWithNews(fake);
  };
  const result = await run(client, { onProgress });
  expect(result.end).toBe('completed');
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(new Set(told).size).toBe(told.length);
  expect(told).toEqual(fake.state.events.map((event) => event.seq));
  expect(interruptions).toBeGreaterThan(0);
});

function happyPathUpToWork(write: RecordedWrite, fake: FakeServer): void {
  if (write.path.endsWith('/messages')) propose(fake);
  if (!write.path.endsWith('/approve')) return;
  fake.state.orchestrations = [sampleOrchestration({ status: 'executing', steps: [sampleStep()] })];
  fake.emit('orchestration.executing', orchestration.id);
}

async function restartWithNews(fake: FakeServer): Promise<void> {
  await fake.kill();
  fake.emit('step.done', 'prn_0000000000000000000001', {
    orchestrationId: orchestration.id,
    key: 'ticket/api',
  });
  complete(fake);
  fake.restart();
}

test('an approval whose answer was lost is not asked again', async () => {
  let asked = 0;
  const { fake, client } = start((write, fake) => {
    if (write.path.endsWith('/messages')) propose(fake);
    if (write.path.endsWith('/approve')) throw new Fault('already_decided', 'It was decided before.');
  });
  // The decision is carried out only when the job has looked, after its approval, and found the proposal as it was.
  let looks = 0;
  const onProgress = ({ type }: JobProgress) => {
    if (type === 'state' && asked > 0 && ++looks === 2) complete(fake);
  };
  const decide = async () => {
    asked += 1;
    return 'approve' as const;
  };
  expect((await run(client, { decide, onProgress })).end).toBe('completed');
  expect(asked).toBe(1);
});

test('a server that stays away ends the job as unreachable', async () => {
  const fake = startFakeServer({
    onWrite: (write, server) => (write.path.endsWith('/messages') ? server.kill() : undefined),
  });
  server = fake;
  const client = createClient({ url: fake.url, token: TOKEN, patienceMs: 300 });
  await expect(run(client)).rejects.toMatchObject({ code: 'unreachable', exitStatus: 4 });
});

test('a signal ends the job with its reason', async () => {
  const stop = new AbortController();
  const { client } = start((write, fake) => {
    if (write.path.endsWith('/messages')) fake.state.runs = [sampleRun()];
  });
  const onProgress = (progress: JobProgress) => progress.type === 'state' && stop.abort(new Error('enough'));
  await expect(run(client, { onProgress, signal: stop.signal })).rejects.toThrow('enough');
});
