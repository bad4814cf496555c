import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOnlyFolder } from './mounts.ts';
import { createWorld, onWord, scriptOf, type World } from './world.ts';

const ROOT = join(import.meta.dir, '../..');
const ENTRIES = {
  'cctl serve': ['scripts/cctl.ts', 'serve'],
  'main.ts': ['services/main.ts'],
};
const LIMIT_MS = 20_000;
const home = mkdtempSync(join(tmpdir(), 'bad-start-'));
let running: World;

beforeAll(async () => {
  running = await createWorld(scriptOf(onWord('never')));
});
afterAll(async () => {
  await running.end();
  rmSync(home, { recursive: true, force: true });
});

interface Started {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a server that is to give up by itself. */
async function start(entry: string[], env: Record<string, string>): Promise<Started> {
  const child = Bun.spawn([process.execPath, ...entry], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CONTROL_CENTER_PORT: '0',
      CONTROL_CENTER_DATA: join(home, 'data'),
      ...env,
    },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
  ]);
  await child.exited;
  return { status: child.exitCode, stdout, stderr };
}

/** Both entries give up at once: one line that begins with `error:` and holds the words, and this status. */
async function refuses(env: Record<string, string>, status: number, ...words: string[]): Promise<void> {
  const starts = Object.entries(ENTRIES).map(async ([name, entry]) => ({
    name,
    ...(await start(entry, env)),
  }));
  for (const { name, stderr, stdout, ...ended } of await Promise.all(starts)) {
    expect({ name, stderr }).toEqual({ name, stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
    for (const word of words) expect(stderr).toContain(word);
    expect({ name, stdout, status: ended.status }).toEqual({ name, stdout: '', status });
  }
}

describe('a server that cannot start says why and how to mend it', () => {
  test('a port in use', () =>
    refuses({ CONTROL_CENTER_PORT: new URL(running.server.url).port }, 1, 'is in use', '--port'));

  test('data that another server works on', () =>
    refuses(
      { CONTROL_CENTER_DATA: running.stage.dataDir },
      1,
      ...['Another server', running.stage.dataDir, '--data'],
    ));

  test('every wrong setting, in one line', () =>
    refuses(
      {
        ...{ CONTROL_CENTER_PORT: '65536', SERVICES: 'spaces,mail', RUNS_URL: 'runs:4501' },
        CONTROL_CENTER_SERVICE_TOKEN: 'short',
      },
      2,
      ...['CONTROL_CENTER_PORT: must be', '0 to 65535', 'SERVICES: ', '"orchestration"'],
      ...['RUNS_URL: ', 'CONTROL_CENTER_SERVICE_TOKEN: ', '16 characters'],
    ));

  test('a port out of range as an option of cctl', async () => {
    const { status, stderr } = await start([...ENTRIES['cctl serve'], '--port', '70000'], {});
    expect([status, stderr]).toEqual([
      2,
      'error: --port must be a whole number from 0 to 65535, not "70000".\n',
    ]);
  });

  test('a service that is elsewhere without an address, and no token', () =>
    refuses(
      { SERVICES: 'runs', SPACES_URL: 'http://127.0.0.1:4501' },
      2,
      ...['ORCHESTRATION_URL', 'CONTROL_CENTER_SERVICE_TOKEN must be set'],
    ));

  test('a service both here and elsewhere', () =>
    refuses({ CONTROL_CENTER_PORT: '4500', RUNS_URL: 'http://127.0.0.1:4502' }, 2, 'RUNS_URL', 'SERVICES'));

  test.each([
    ['is not JSON', '{ "models": [', 'it is not JSON'],
    ['has wrong fields', '{ "models": [{ "id": "" }], "keys": 1 }', 'models[0].id'],
    [
      'names an unknown provider',
      '{ "models": [{ "id": "m", "provider": "p", "contextTokens": 1, "maxOutputTokens": 1 }] }',
      '"p"',
    ],
    ['is a folder', null, 'cannot be read'],
  ])('a models.json that %s', async (_, text, word) => {
    const dataDir = mkdtempSync(join(home, 'models-'));
    const path = join(dataDir, 'models.json');
    if (text === null) mkdirSync(path);
    else writeFileSync(path, text);
    await refuses({ CONTROL_CENTER_DATA: dataDir }, 2, 'models.json', word);
  });

  test('a data directory that is a file, or lies below one', async () => {
    const file = join(home, 'file');
    writeFileSync(file, 'precious');
    await refuses({ CONTROL_CENTER_DATA: file }, 2, file, 'CONTROL_CENTER_DATA');
    await refuses({ CONTROL_CENTER_DATA: join(file, 'data') }, 2, file, 'CONTROL_CENTER_DATA');
    expect(await Bun.file(file).text()).toBe('precious');
  });

  test('a data directory that may not be written', async () => {
    const folder = readOnlyFolder(join(home, 'read-only'));
    if (!folder) return;
    try {
      await refuses({ CONTROL_CENTER_DATA: folder.path }, 2, folder.path, 'CONTROL_CENTER_DATA');
    } finally {
      folder.release();
    }
  });
});
