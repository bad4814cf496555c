import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientOf, HELLO } from './test-client.ts';

const MAIN = join(import.meta.dir, 'main.ts');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scripted-model-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(source: string, ...args: string[]) {
  const path = join(folder, `script-${Bun.hash(source)}.ts`);
  await Bun.write(path, source);
  return Bun.spawn(['bun', MAIN, path, ...args], { stdout: 'pipe', stderr: 'pipe' });
}

test('the process prints its url, serves its script and ends on SIGTERM', async () => {
  const turn = "{ text: 'from a process' }";
  const process = await run(`export default { name: 'p', dialogues: [], otherwise: ${turn} };`);
  const reader = process.stdout.getReader();
  const { value } = await reader.read();
  const { url } = JSON.parse(new TextDecoder().decode(value)) as { url: string };
  const answer = await clientOf(url).messages.create(HELLO);
  expect(answer.content).toMatchObject([{ text: 'from a process' }]);
  process.kill('SIGTERM');
  expect(await process.exited).toBe(0);
});

test.each([
  ['export default {};', [], 'the default export must be a script'],
  ["export default { name: 'p', dialogues: [] };", ['--port', 'x'], '--port must be a whole number'],
  ["export default { name: 'p', dialogues: [] };", ['more'], 'Usage: bun test/model/main.ts'],
])('%p with %p is refused', async (source, args, message) => {
  const process = await run(source, ...args);
  expect(await new Response(process.stderr).text()).toContain(message);
  expect(await process.exited).toBe(1);
});
