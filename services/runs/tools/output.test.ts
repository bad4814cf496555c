import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundOutput, fittingLines, OUTPUT_BYTES, redact, wholeOutputPath } from './output.ts';
import { runFolder } from './run-folder.ts';

const dir = mkdtempSync(join(tmpdir(), 'runs-output-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('an output', () => {
  test('that fits stays as it is and is not kept', async () => {
    const path = join(dir, 'short.txt');
    expect(await boundOutput('x'.repeat(OUTPUT_BYTES), path, 'call_1')).toBe('x'.repeat(OUTPUT_BYTES));
    expect(existsSync(path)).toBe(false);
  });

  test('that is too long loses its middle, says so, and is kept whole', async () => {
    const path = wholeOutputPath(runFolder(dir, 'ws_a', 'run_1'), '../call/1');
    const folder = join(dir, 'workspaces', 'ws_a', 'runs', 'run_1');
    expect(path).toMatch(new RegExp(`^${folder}/___call_1-[0-9a-f]{16}\\.txt$`));
    expect(wholeOutputPath(folder, 'toolu_1')).toBe(join(folder, 'toolu_1.txt'));
    expect(wholeOutputPath(folder, '.._call/1')).not.toBe(path);
    const text = `start ${'é🙂'.repeat(20_000)} end`;
    const bounded = await boundOutput(text, path, '../call/1');
    expect(bounded.startsWith('start é🙂')).toBe(true);
    expect(bounded.endsWith('🙂 end')).toBe(true);
    expect(bounded).toContain(`cut: ${Buffer.byteLength(text)} bytes in all`);
    expect(bounded).toContain('read_output with callId "../call/1"');
    expect(bounded).not.toContain('\uFFFD');
    expect(Buffer.byteLength(bounded)).toBeLessThan(OUTPUT_BYTES + 200);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

test('of lines as many are kept as fit whole, from the first on', () => {
  expect(fittingLines(['ab', 'é', 'c'], 6)).toEqual(['ab', 'é']);
  expect(fittingLines(['ab', 'é', 'c'], 8)).toEqual(['ab', 'é', 'c']);
  expect(fittingLines([], 8)).toEqual([]);
});

test('known secrets are masked wherever they stand, one that could be part of a word nowhere', () => {
  expect(redact('a=sk-12345;b=sk-12345', ['sk-12345', ''])).toBe('a=[redacted];b=[redacted]');
  expect(redact('sk-12345-of-team', ['sk-12345', 'sk-12345-of-team'])).toBe('[redacted]');
  expect(redact('Exit code 1 of bun test', ['x', 'test'])).toBe('Exit code 1 of bun test');
});

test('what is written as our own tokens are is masked, whoever holds it', () => {
  for (const token of [`ccr_${'aB3_-'.repeat(8)}xyz`, `cc_${'A'.repeat(43)}`]) {
    expect(redact(`TOKEN=${token}; "${token}"`, [])).toBe('TOKEN=[redacted]; "[redacted]"');
    expect(redact(`x${token} ${token}y`, [])).toBe(`x${token} ${token}y`);
  }
});
