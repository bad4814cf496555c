import { expect, test } from 'bun:test';
import { keepReader } from './keep-reader.ts';
import { createCommandReader } from './shell/command-reader.ts';

test('a reader is loaded at its first use, once, and again only after a load that failed', async () => {
  let loads = 0;
  const reader = keepReader(async () => {
    loads += 1;
    if (loads === 1) throw new Error('no grammar');
    return createCommandReader();
  });
  expect(loads).toBe(0);
  await expect(Promise.all([reader(), reader()])).rejects.toThrow('no grammar');
  const [first, second] = await Promise.all([reader(), reader()]);
  expect(first).toBe(second);
  expect(loads).toBe(2);
  expect(first.read('git push').classes).toContain('git_push');
});
