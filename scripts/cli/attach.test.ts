import { afterAll, afterEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeServer, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';
import { sampleRun } from './testing/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'cctl-attach-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let server: FakeServer | null = null;
afterEach(() => server?.kill());

const path = (name: string) => join(folder, name);
writeFileSync(path('notes.md'), '# Notes\n');
writeFileSync(path('shot.png'), Buffer.of(0x89, 0x50));
writeFileSync(path('large.bin'), Buffer.alloc((5 << 20) + 1));
mkdirSync(path('folder'));

const ask = (...more: string[]) => {
  const url = server?.url ?? '';
  return runCctl(['ask', 'Read', 'them', '--no-repo', '--url', url, ...more], {}, folder);
};

test('ask sends files before the goal, each once under a key, and the goal names them', async () => {
  let made = 0;
  server = startFakeServer({
    onWrite: (write, { state }) => {
      if (write.path.endsWith('/messages')) state.runs = [sampleRun({ status: 'failed' })];
      if (write.path.endsWith('/attachments')) state.answers[`POST ${write.path}`] = { id: `att_${++made}` };
    },
  });
  await ask('--attach', 'notes.md', '--attach', path('shot.png'));
  const written = server.state.writes.filter(({ path: at }) => at.startsWith('/conversations/'));
  const [first, second, message] = written.map(({ body, key }) => ({
    body: body as Record<string, unknown>,
    key,
  }));
  expect(first?.body).toMatchObject({ name: 'notes.md', base64: btoa('# Notes\n') });
  expect(first?.body.mediaType).toContain('text/markdown');
  expect(second?.body).toMatchObject({ name: 'shot.png', mediaType: 'image/png', base64: 'iVA=' });
  expect(new Set(written.map(({ key }) => key)).size).toBe(3);
  expect(message?.body).toMatchObject({ body: 'Read them', attachments: ['att_1', 'att_2'] });
});

test('a file that cannot go is told before anything is sent', async () => {
  server = startFakeServer();
  const problem = async (...files: string[]) => {
    const { exitCode, stderr } = await ask(...files.flatMap((file) => ['--attach', file]));
    return [exitCode, stderr];
  };
  expect(await problem('none.txt')).toEqual([2, expect.stringContaining(`no file "${path('none.txt')}"`)]);
  expect(await problem('folder')).toEqual([2, expect.stringContaining('no file')]);
  expect(await problem('large.bin')).toEqual([
    2,
    expect.stringContaining('5242881 bytes, and 5242880 is the most'),
  ]);
  expect(await problem(...Array(21).fill('notes.md'))).toEqual([
    2,
    expect.stringContaining('20 files at most'),
  ]);
  expect(server.state.writes).toEqual([]);
});
