import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const CCTL = join(import.meta.dir, '..', 'cctl.ts');

test('the demo for a browser gives the goal and a link, and leaves nothing behind when it is ended', async () => {
  const demo = Bun.spawn([process.execPath, CCTL, 'demo', '--browser', '--json'], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const { url, repository } = JSON.parse(await firstLine(demo.stdout)) as Record<string, string>;
  const { port, hash } = new URL(url as string);
  const response = await fetch(`http://127.0.0.1:${port}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: hash.replace('#code=', '') }),
  });
  expect(await response.json()).toMatchObject({ member: { role: 'owner' } });
  expect(existsSync(repository as string)).toBe(true);
  demo.kill('SIGINT');
  expect(await demo.exited).toBe(0);
  expect(existsSync(repository as string)).toBe(false);
}, 30_000);

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] as string;
}
