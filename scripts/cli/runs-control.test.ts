import { afterEach, expect, test } from 'bun:test';
import { type FakeServer, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';
import { sampleRun } from './testing/sample.ts';

let fake: FakeServer;
afterEach(() => fake.kill());

const run = sampleRun();
const AT = `/runs/${run.id}`;

function start(answers: Record<string, unknown>): void {
  fake = startFakeServer({ runs: [run], answers: { [`GET ${AT}`]: run, ...answers } });
}

const cctl = (...args: string[]) => runCctl(['runs', ...args, '--url', fake.url]);

test('steer says something to a run, under a key of its own', async () => {
  start({ [`POST ${AT}/steer`]: { runId: run.id, messageId: 'msg_1' } });
  const ran = await cctl('steer', run.id, 'In blue.');
  expect([ran.exitCode, ran.stdout]).toEqual([0, `The run ${run.id} reads it before its next step.\n`]);
  const [write] = fake.state.writes;
  expect(write).toMatchObject({ body: { text: 'In blue.', key: expect.any(String) } });
});

test('nothing is steered with no word', async () => {
  start({});
  const ran = await cctl('steer', run.id, ' ');
  expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining('The text is empty')]);
  expect(fake.state.writes).toEqual([]);
});

test('what is taken over goes on by being handed back', async () => {
  const held = sampleRun({ status: 'paused', takenOverBy: 'person:mem_1' });
  start({ [`GET ${AT}`]: held, [`POST ${AT}/pause`]: held });
  expect((await cctl('pause', run.id)).stdout).toContain(
    `is paused. Let it go on with\n  cctl runs handback`,
  );
});

test('a run that a budget stopped is not promised to go on', async () => {
  const stopped = sampleRun({ status: 'paused', errorFamily: 'budget' });
  start({ [`GET ${AT}`]: stopped, [`POST ${AT}/resume`]: stopped });
  const { stdout } = await cctl('resume', run.id);
  expect(stdout).toBe(`The run ${run.id} goes on, as far as its budgets have room.\n`);
});

test('pause says when it takes hold, and how to go on', async () => {
  start({ [`POST ${AT}/pause`]: run });
  const ran = await cctl('pause', run.id);
  expect(ran.stdout).toContain('pauses after the call it is making');
  expect(ran.stdout).toContain(`cctl runs resume ${run.id}`);
});

test('takeover waits for the call in flight, and says where the work is', async () => {
  const worktrees = [{ repository: 'app', path: '/there/app', branch: 'control-center/x' }];
  const answers: Record<string, unknown> = { [`POST ${AT}/takeover`]: { state: 'pausing', run, worktrees } };
  start(answers);
  fake.state.onWrite = () => {
    const looks = fake.state.writes.length;
    if (looks === 2) fake.state.answers[`POST ${AT}/takeover`] = { state: 'held', run, worktrees };
  };
  const ran = await cctl('takeover', run.id);
  expect(fake.state.writes.length).toBe(2);
  expect(ran.stdout).toContain('  app: /there/app (branch control-center/x)');
  expect(ran.stdout).toContain(`cctl runs handback ${run.id}`);
});

test('handback carries the note', async () => {
  start({ [`POST ${AT}/handback`]: run });
  await cctl('handback', run.id, '--note', 'Mind the README.');
  await cctl('handback', run.id);
  expect(fake.state.writes.map(({ body }) => body)).toEqual([{ note: 'Mind the README.' }, { note: null }]);
});
