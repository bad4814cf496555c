import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import expected from '../../core-wasm/vectors/digest.json' with { type: 'json' };
import { buildCore } from '../../scripts/build-core.ts';
import { chromiumProgram, NO_CHROMIUM } from './binaries.ts';
import { inBun, inChromium, inDeno, inWorkerd } from './drivers.ts';

const TIMEOUT_MS = 90_000;
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'core-runtimes-'));
  await buildCore();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('Bun gives the recorded digest', async () => expect(await inBun(folder)).toEqual(expected), TIMEOUT_MS);
test(
  'Deno gives the recorded digest',
  async () => expect(await inDeno(folder)).toEqual(expected),
  TIMEOUT_MS,
);
test(
  'workerd gives the recorded digest',
  async () => expect(await inWorkerd(folder)).toEqual(expected),
  TIMEOUT_MS,
);

const browser = chromiumProgram();
const mustRun = browser !== null || Boolean(process.env.CI);
if (browser === null) process.stderr.write(`skipped: ${NO_CHROMIUM}\n`);

test.skipIf(!mustRun)(
  'Chromium gives the recorded digest under a policy that allows nothing but WebAssembly',
  async () => {
    if (browser === null) throw new Error(NO_CHROMIUM);
    expect(await inChromium(browser, POLICY)).toEqual(expected);
  },
  TIMEOUT_MS,
);

test.skipIf(!mustRun)(
  "Chromium refuses the core without 'wasm-unsafe-eval', with an error that names the policy",
  async () => {
    if (browser === null) throw new Error(NO_CHROMIUM);
    await expect(inChromium(browser, "script-src 'self'")).rejects.toThrow(/Content Security Policy/i);
  },
  TIMEOUT_MS,
);
