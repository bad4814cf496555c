import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdDataDir } from './hold-data-dir.ts';

const directory = mkdtempSync(join(tmpdir(), 'hold-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('one holder a part; what was taken on the way to a refusal is let go', async () => {
  const release = await holdDataDir(directory, ['b']);
  await expect(holdDataDir(directory, ['c', 'b', 'a'], 0)).rejects.toMatchObject({
    code: 'data_in_use',
    detail: { part: 'b' },
  });
  (await holdDataDir(directory, ['a', 'c'], 0))();
  release();
  (await holdDataDir(directory, ['a', 'b', 'c'], 0))();
});

test('a holder that goes in time is waited for', async () => {
  const release = await holdDataDir(directory, ['a']);
  const next = holdDataDir(directory, ['a'], 10_000);
  release();
  (await next)();
});

test('another process holds it until it is killed, whoever keeps what lets go of it', async () => {
  const script = `
    const { holdDataDir } = await import(${JSON.stringify(join(import.meta.dir, 'hold-data-dir.ts'))});
    await holdDataDir(${JSON.stringify(directory)}, ['a']);
    Bun.gc(true);
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
  try {
    await child.stdout.getReader().read();
    await expect(holdDataDir(directory, ['a'], 0)).rejects.toMatchObject({ code: 'data_in_use' });
  } finally {
    child.kill('SIGKILL');
    await child.exited;
  }
  (await holdDataDir(directory, ['a'], 0))();
});
