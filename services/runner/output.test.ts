import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorktreePlaces } from './layout.ts';
import { createCapture, readOutput, removeOutput } from './output.ts';

const dir = mkdtempSync(join(tmpdir(), 'runner-output-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function captured(text: string) {
  const path = join(dir, `${crypto.randomUUID()}.log`);
  const capture = createCapture(path);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 4_099) capture.push(bytes.subarray(at, at + 4_099));
  return capture.finish();
}

test('a cut falls between lines or words, and says exactly how much it left out', () => {
  for (const text of ['word '.repeat(20_000), 'a line of words\n'.repeat(9_000), 'é🙂'.repeat(20_000)]) {
    const { output, truncated } = captured(text);
    expect(truncated).toBe(true);
    const [, begins = '', left, ends = ''] =
      /^(.*)\n\[… (\d+) bytes left out here.*\]\n(.*)$/s.exec(output) ?? [];
    const between = Buffer.byteLength(text) - Buffer.byteLength(begins) - Buffer.byteLength(ends);
    expect(Number(left)).toBe(between);
    expect(text.startsWith(begins) && text.endsWith(ends)).toBe(true);
    expect(output).not.toContain('\uFFFD');
    if (text.startsWith('word'))
      expect([begins.endsWith('word'), ends.startsWith('word')]).toEqual([true, true]);
    if (text.startsWith('a line')) expect(begins.endsWith('words') && ends.startsWith('a line')).toBe(true);
  }
});

test('no part of a word that the cut goes through is shown', () => {
  const secret = `sk-${'s'.repeat(60)}`;
  for (let shift = 0; shift < 70; shift += 1) {
    const { output } = captured(`${'x '.repeat(4_990)}${'y'.repeat(shift)} ${secret} ${'z '.repeat(30_000)}`);
    expect(output.includes(secret) || !output.includes('sss')).toBe(true);
  }
});

test('the whole is read in pieces and then removed; nothing else is', async () => {
  const text = `${'line\n'.repeat(20_000)}end`;
  const { fullOutputPath } = captured(text);
  const places = { output: dir } as WorktreePlaces;
  const path = fullOutputPath ?? '';
  const first = await readOutput(places, { path, offset: 0, bytes: 50_000 });
  const rest = await readOutput(places, { path, offset: 50_000, bytes: 16_000_000 });
  expect(first.totalBytes).toBe(100_003);
  const joined = [first, rest].map(({ data }) => Buffer.from(data, 'base64').toString()).join('');
  expect(joined).toBe(readFileSync(path, 'utf8'));
  for (const other of [
    '/etc/passwd',
    join(dir, '..', 'x.log'),
    join(dir, 'sub', 'x.log'),
    join(dir, 'x.txt'),
  ]) {
    const asked = readOutput(places, { path: other, offset: 0, bytes: 1 });
    await expect(asked).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(removeOutput(places, other)).rejects.toMatchObject({ code: 'invalid_request' });
  }
  await removeOutput(places, path);
  expect(existsSync(path)).toBe(false);
  await expect(readOutput(places, { path, offset: 0, bytes: 1 })).rejects.toMatchObject({
    code: 'file_not_found',
  });
});
