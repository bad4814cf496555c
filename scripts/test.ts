import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const inCi = Boolean(process.env.CI);

/**
 * Runs every test, two files at a time, and ends with `N passed, N failed`. Tests that need something the machine lacks
 * say what and how to get it and are counted as skipped; in CI nothing may be skipped.
 */
const filters = process.argv.slice(2);
const run = Bun.spawn([process.execPath, 'test', '--parallel=2', '--timeout=60000', ...filters], {
  cwd: root,
  stdout: 'inherit',
  stderr: 'pipe',
  // A person's git configuration (signing, hooks, an identity) decides no test.
  env: { ...process.env, NO_COLOR: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
});
let text = '';
const decoder = new TextDecoder();
for await (const chunk of run.stderr) {
  text += decoder.decode(chunk, { stream: true });
  process.stderr.write(chunk);
}
const exitCode = await run.exited;

const passed = countOf('pass');
const failed = countOf('fail');
const skipped = countOf('skip');
const reasons = [...new Set(text.match(/^skipped: .*$/gm) ?? [])];
if (reasons.length > 0) console.log(`\nSkipped because:\n${reasons.join('\n')}`);
const skippedInCi = inCi && skipped > 0;
if (skippedInCi) console.log('In CI nothing may be skipped.');
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(exitCode !== 0 || passed === 0 || skippedInCi ? exitCode || 1 : 0);

function countOf(word: string): number {
  return Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(text)?.[1] ?? 0);
}
