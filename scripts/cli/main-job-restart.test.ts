import { afterEach, expect, test } from 'bun:test';
import { Fault } from '../../services/kit/fault.ts';
import type { JobProgress } from './job/job.ts';
import type { FakeServer, FakeState, RecordedWrite } from './testing/fake-server.ts';
import { sampleOrchestration, sampleStep } from './testing/sample.ts';
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
    const result = await runJob(client);
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
  const result = await runJob(client, { onProgress });
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
  expect((await runJob(client, { decide, onProgress })).end).toBe('completed');
  expect(asked).toBe(1);
});

test('a server that stays away ends the job as unreachable', async () => {
  const { client } = start(
    (write, fake) => (write.path.endsWith('/messages') ? fake.kill() : undefined),
    300,
  );
  await expect(runJob(client)).rejects.toMatchObject({ code: 'unreachable', exitStatus: 4 });
});
