import { afterEach, expect, test } from 'bun:test';
import type { JobProgress } from './job/job.ts';
import { type FakeServer, type FakeState, MESSAGE } from './testing/fake-server.ts';
import { sampleApproval, sampleOrchestration, sampleRun } from './testing/sample.ts';
import {
  complete,
  happyPath,
  orchestration,
  propose,
  runJob,
  startScripted,
} from './testing/scripted-job.ts';

let server: FakeServer | null = null;
afterEach(() => server?.kill());

function start(onWrite: FakeState['onWrite'], patienceMs?: number) {
  const started = startScripted(onWrite, patienceMs);
  server = started.fake;
  return started;
}

test('a goal becomes a proposal, an approval and a deliverable, and every write has a key', async () => {
  const { fake, client } = start(happyPath);
  const result = await runJob(client);
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
  const { fake, client } = start(happyPath);
  const seen: number[] = [];
  await runJob(client, {
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
  const result = await runJob(client, {
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
  const result = await runJob(client, { decide: async () => 'leave' });
  expect([result.end, result.orchestrationId]).toEqual(['waiting', orchestration.id]);
  expect(fake.state.writes.some(({ path }) => path.endsWith('/approve'))).toBe(false);
});

test('a rejection carries its reason', async () => {
  const { fake, client } = start(happyPath);
  const result = await runJob(client, { decide: async () => ({ reject: 'Too dear.' }) });
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
  const result = await runJob(client, { answer: async () => ({ decision: 'approved', answer: '8080' }) });
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
  const result = await runJob(client, { mode: 'chat' });
  expect([result.end, result.run?.output?.text]).toEqual(['answered', 'Forty-two.']);
});

test('a first run that fails fails the job, and a paused one ends it unless resumed', async () => {
  const failed = start((write, fake) => {
    if (write.path.endsWith('/messages')) fake.state.runs = [sampleRun({ status: 'failed' })];
  });
  expect((await runJob(failed.client)).end).toBe('runFailed');
  await failed.fake.kill();
  const paused = start((write, fake) => {
    if (write.path.endsWith('/messages')) fake.state.runs = [sampleRun({ status: 'paused' })];
    if (write.path.endsWith('/resume')) fake.state.runs = [sampleRun({ status: 'completed' })];
  });
  expect((await runJob(paused.client)).end).toBe('runPaused');
  expect((await runJob(paused.client, { resume: async () => true })).end).toBe('answered');
});

test('a signal ends the job with its reason', async () => {
  const stop = new AbortController();
  const { client } = start((write, fake) => {
    if (write.path.endsWith('/messages')) fake.state.runs = [sampleRun()];
  });
  const onProgress = (progress: JobProgress) => progress.type === 'state' && stop.abort(new Error('enough'));
  await expect(runJob(client, { onProgress, signal: stop.signal })).rejects.toThrow('enough');
});
