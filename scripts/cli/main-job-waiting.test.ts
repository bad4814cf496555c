import { afterEach, expect, test } from 'bun:test';
import { type FakeServer, type FakeState, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';
import { sampleApproval, sampleOrchestration, sampleRun, sampleStep } from './testing/sample.ts';
import { complete, orchestration, propose, runJob, startScripted } from './testing/scripted-job.ts';

let server: FakeServer | null = null;
afterEach(() => server?.kill());

const ASK = ['ask', 'Do it', '--no-repo', '--mode', 'chat'];

/** A run that waits for what `approval` asks, from its first moment. */
function waiting(change: Parameters<typeof sampleApproval>[0], extra: Partial<FakeState> = {}): FakeServer {
  server = startFakeServer({
    onWrite(write, fake) {
      if (!write.path.endsWith('/messages')) return;
      fake.state.runs = [sampleRun({ mode: 'chat', liveness: 'waiting' })];
      fake.state.approvals = [sampleApproval(change)];
      fake.emit('approval.requested', 'apr_0000000000000000000001');
    },
    ...extra,
  });
  return server;
}

test.each([
  [{ kind: 'question' }, 'approve --answer TEXT'],
  [{ kind: 'action', subject: 'Run git push' }, 'refuse --reason TEXT'],
  [{ kind: 'plan_exit', subject: 'Leave plan mode' }, 'changes --reason TEXT'],
] as const)('without a terminal, a job that waits for %j ends with how to decide it', async (change, how) => {
  const { url, state } = waiting(change);
  const ran = await runCctl([...ASK, '--wait', '0', '--url', url]);
  expect(ran.exitCode).toBe(3);
  expect(ran.stderr).toContain('waits for a person to decide');
  expect(ran.stderr).toContain(`cctl decide apr_0000000000000000000001 ${how}`);
  expect(ran.stderr).toContain('cctl runs show run_0000000000000000000001');
  expect(state.writes.some(({ path }) => path.endsWith('/decision'))).toBe(false);
});

test('with --json what waits is in the document', async () => {
  const { url } = waiting({ kind: 'question' });
  const ran = await runCctl([...ASK, '--wait', '0', '--json', '--url', url]);
  expect(ran.exitCode).toBe(3);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    end: 'waiting',
    waitsFor: [{ kind: 'question', id: 'apr_0000000000000000000001', subject: 'Which port?' }],
  });
});

test('without a terminal the server is told that nobody is there to decide', async () => {
  const { url, state } = waiting({ kind: 'question' });
  await runCctl([...ASK, '--wait', '0', '--url', url]);
  await runCctl([...ASK, '--wait', '0', '--yes', '--url', url]);
  expect(state.streams.length).toBeGreaterThan(0);
  for (const query of state.streams) expect(query.get('attending')).toBe('0');
});

test('a person who is there is not given up on, and is counted on by the server', async () => {
  const { fake, client } = startScripted((write, fake) => {
    if (write.path.endsWith('/messages')) propose(fake);
    if (write.path.endsWith('/approve')) complete(fake);
  });
  server = fake;
  await runJob(client, { attending: true });
  for (const query of fake.state.streams) expect(query.get('attending')).toBe(null);
});

test('a decision made elsewhere within the limit lets the job go on', async () => {
  const { fake, client } = startScripted((write, fake) => {
    if (!write.path.endsWith('/messages')) return;
    fake.state.runs = [sampleRun({ liveness: 'waiting' })];
    fake.state.approvals = [sampleApproval()];
  });
  server = fake;
  const answer = async () => {
    fake.state.approvals = [];
    fake.state.runs = [sampleRun({ status: 'completed', output: { text: 'Done.', value: null } })];
    fake.emit('run.ended', sampleRun().id);
    return 'later' as const;
  };
  expect((await runJob(client, { answer, personWaitMs: 20_000 })).end).toBe('answered');
});

test('steps that go on are waited for, and the job ends when only the held one is left', async () => {
  const held = sampleStep({ key: 'ticket/docs', state: 'waiting', runId: 'run_0000000000000000000009' });
  const { fake, client } = startScripted((write, fake) => {
    if (write.path.endsWith('/messages')) propose(fake);
    if (!write.path.endsWith('/approve')) return;
    fake.state.orchestrations = [
      sampleOrchestration({ status: 'executing', steps: [sampleStep({ state: 'running' }), held] }),
    ];
    fake.state.approvals = [sampleApproval({ runId: held.runId })];
    fake.emit('step.started', orchestration.id);
  });
  server = fake;
  let looks = 0;
  const result = await runJob(client, {
    personWaitMs: 0,
    onProgress({ type }) {
      const isHeld = type === 'state' && fake.state.orchestrations[0]?.status === 'executing';
      if (!isHeld || ++looks !== 3) return;
      const steps = [sampleStep({ state: 'done' }), held];
      fake.state.orchestrations = [sampleOrchestration({ status: 'executing', steps })];
      fake.emit('step.done', orchestration.id);
    },
  });
  expect(result.end).toBe('waiting');
  expect(looks).toBeGreaterThanOrEqual(3);
  expect(result.waitsFor.map(({ kind }) => kind)).toEqual(['question']);
});

test('changes asked of a proposal are waited for, and the next revision is decided', async () => {
  const revisions: number[] = [];
  const { fake, client } = startScripted((write, fake) => {
    if (write.path.endsWith('/messages')) propose(fake);
    if (write.path.endsWith('/request-changes')) {
      fake.state.orchestrations = [sampleOrchestration({ changesRequestedRevision: 1 })];
      fake.emit('orchestration.changesRequested', orchestration.id);
    }
    if (write.path.endsWith('/approve')) complete(fake);
  });
  server = fake;
  const result = await runJob(client, {
    decide: async ({ revision }) => {
      revisions.push(revision);
      return revision === 1 ? { requestChanges: 'Cheaper.' } : 'approve';
    },
    onProgress({ type }) {
      if (type !== 'state' || fake.state.orchestrations[0]?.changesRequestedRevision !== 1) return;
      fake.state.orchestrations = [sampleOrchestration({ revision: 2 })];
      fake.emit('orchestration.revised', orchestration.id);
    },
  });
  expect([result.end, revisions]).toEqual(['completed', [1, 2]]);
  expect(fake.state.writes.find(({ path }) => path.endsWith('/request-changes'))?.body).toEqual({
    reason: 'Cheaper.',
    revision: 1,
  });
});

test('actions that were refused for want of a person are named at the end, with how to allow them', async () => {
  const { url } = waiting(
    {},
    {
      onWrite(write, fake) {
        if (!write.path.endsWith('/messages')) return;
        fake.state.runs = [sampleRun({ status: 'completed', output: { text: 'I may not.', value: null } })];
        fake.state.approvals = [
          sampleApproval({ kind: 'action', status: 'unattended', subject: 'Run git push' }),
        ];
        fake.emit('run.ended', sampleRun().id);
      },
    },
  );
  const ran = await runCctl([...ASK, '--url', url]);
  expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining('I may not.')]);
  expect(ran.stderr).toContain('1 action refused because nobody was there');
  expect(ran.stderr).toContain('cctl decide apr_0000000000000000000001 approve');
});

const gate = sampleApproval({ id: 'apr_gate', kind: 'plan_exit', subject: 'Leave plan mode' });
const planned = sampleRun({ status: 'completed', output: { text: 'Planned.', value: null } });

test('a gate that outlives its run is waited for, and its decision by the run that follows', async () => {
  const { fake, client } = startScripted((write, fake) => {
    if (write.path.endsWith('/messages')) {
      fake.state.runs = [planned];
      fake.state.approvals = [gate];
    }
    if (write.path.endsWith('/decision')) fake.state.approvals = [{ ...gate, status: 'approved' }];
  });
  server = fake;
  let looks = 0;
  const result = await runJob(client, {
    answer: async () => ({ decision: 'approved' }),
    onProgress({ type }) {
      // The next run comes some looks after the decision.
      if (type !== 'state' || fake.state.approvals[0]?.status !== 'approved') return;
      looks += 1;
      if (looks === 1) fake.emit('approval.decided', gate.id);
      if (looks !== 2) return;
      const output = { text: 'Worked.', value: null };
      const trigger = { kind: 'followUp' as const, id: gate.id };
      const next = sampleRun({ id: 'run_2', createdAt: 2_000, trigger, status: 'completed', output });
      fake.state.runs = [planned, next];
      fake.emit('run.ended', 'run_2');
    },
  });
  expect([result.end, result.lastRun?.output?.text]).toEqual(['answered', 'Worked.']);
});

test('a gate that is taken back is waited for no longer', async () => {
  const { fake, client } = startScripted((write, fake) => {
    if (!write.path.endsWith('/messages')) return;
    fake.state.runs = [planned];
    fake.state.approvals = [gate];
  });
  server = fake;
  const answer = async () => {
    fake.state.approvals = [{ ...gate, status: 'superseded' }];
    return 'later' as const;
  };
  expect((await runJob(client, { answer })).end).toBe('answered');
});

test('without a terminal a gate that outlived its run needs a person', async () => {
  const { url } = waiting(
    {},
    {
      onWrite(write, fake) {
        if (!write.path.endsWith('/messages')) return;
        fake.state.runs = [planned];
        fake.state.approvals = [gate];
      },
    },
  );
  const ran = await runCctl([...ASK, '--wait', '0', '--url', url]);
  expect([ran.exitCode, ran.stdout]).toEqual([3, expect.stringContaining('Planned.')]);
  expect(ran.stderr).toContain('cctl decide apr_gate changes --reason TEXT');
});
