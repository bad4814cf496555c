import { afterEach, expect, test } from 'bun:test';
import type { Checkpoint, UndoResult } from '../../services/runs/checkpoints/schema.ts';
import { type FakeServer, type FakeState, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';
import { sampleRun } from './testing/sample.ts';

let server: FakeServer | null = null;
afterEach(() => server?.kill());

const { id } = sampleRun();
function start(answers: FakeState['answers'] = {}): FakeServer {
  server = startFakeServer({ runs: [sampleRun()], answers });
  return server;
}
const run = (fake: FakeServer, ...args: string[]) => runCctl(['runs', ...args, '--url', fake.url]);

test('checkpoints are listed with their turn, and a missing one as missing', async () => {
  const kept: Checkpoint = {
    ...{ id: 'ckp_1', runId: id, repository: 'app', turn: 0, undoId: null, commitId: 'c', note: null },
    ...{ tools: ['write_file'], counts: false, at: 0 },
  };
  const items = [
    kept,
    { ...kept, id: 'ckp_2', turn: 1, commitId: null, note: 'No snapshot\u001b[2J', counts: true },
  ];
  const fake = start({ [`GET /runs/${id}/checkpoints`]: { items } });
  const { stdout } = await run(fake, 'checkpoints', id);
  const [, first, second] = stdout.split('\n');
  expect(first).toContain('0  ckp_1');
  expect(first).toContain('write_file (taken back)');
  expect(second).toContain('1  none');
  expect(stdout).not.toContain('\u001b');
});

test('undo says what changed and how to take it back', async () => {
  const result: UndoResult = {
    ...{ id: 'und_1', runId: id, what: 'both', conversation: 'rewound', alsoTakesBack: ['run_2'] },
    files: [
      {
        ...{ repository: 'app', checkpointId: 'ckp_9', total: 1, left: ['.env'] },
        changes: [{ path: 'a.txt', change: 'removed' }],
      },
    ],
  };
  const fake = start({ [`POST /runs/${id}/undo`]: result });
  const { stdout, exitCode } = await run(fake, 'undo', id, '--turn', '2');
  expect(exitCode).toBe(0);
  for (const text of ['removed  a.txt', 'kept     .env', '--checkpoint ckp_9', 'runs resume', 'run_2'])
    expect(stdout).toContain(text);
  const held = sampleRun({ status: 'paused', takenOverBy: 'person:mem_1' });
  fake.state.answers[`GET /runs/${id}`] = held;
  expect((await run(fake, 'undo', id, '--turn', '2')).stdout).toContain(`runs handback ${id}`);
});

test('what is to be undone is asked for without doubt', async () => {
  const fake = start();
  for (const args of [
    [],
    ['--turn', '1', '--checkpoint', 'x'],
    ['--turn', '-1'],
    ['--turn', '1', '--files', '--conversation'],
    ['--checkpoint', 'x', '--conversation'],
  ]) {
    expect([args, (await run(fake, 'undo', id, ...args)).exitCode]).toEqual([args, 2]);
  }
  expect(fake.state.writes).toEqual([]);
});
