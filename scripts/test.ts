import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const inCi = Boolean(process.env.CI);

/** Tests that hold times of a browser or of a build to a budget: nothing else runs beside them. */
const MEASURING = [
  'scripts/build-web.test.ts',
  'test/web/conversation-live.test.ts',
  'test/web/conversation-size.test.ts',
  'test/web/dev.test.ts',
  'test/web/loading.test.ts',
  'test/web/plan-canvas.test.ts',
];
/** Many tests wait for what they started: with one file more than there are cores, the cores are at work meanwhile. */
const AT_ONCE = 3;

/**
 * Runs every test and ends with `N passed, N failed`. Tests that need something the machine lacks say what and how to get
 * it and are counted as skipped; in CI nothing may be skipped.
 */
const filters = process.argv.slice(2);
const passes =
  filters.length > 0
    ? [[`--parallel=${AT_ONCE}`, ...filters]]
    : [
        [`--parallel=${AT_ONCE}`, ...MEASURING.map((path) => `--path-ignore-patterns=${path}`)],
        ['--parallel=1', ...MEASURING],
      ];
const ran: Ran[] = [];
for (const options of passes) ran.push(await runTests(options));

const [passed, failed, skipped] = (['pass', 'fail', 'skip'] as const).map((word) =>
  ran.reduce((sum, { text }) => sum + countOf(word, text), 0),
) as [number, number, number];
const reasons = [...new Set(ran.flatMap(({ text }) => text.match(/^skipped: .*$/gm) ?? []))];
if (reasons.length > 0) console.log(`\nSkipped because:\n${reasons.join('\n')}`);
const skippedInCi = inCi && skipped > 0;
if (skippedInCi) console.log('In CI nothing may be skipped.');
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
const hasFailed = passed === 0 || skippedInCi || ran.some(({ exitCode }) => exitCode !== 0);
process.exit(hasFailed ? ran.find(({ exitCode }) => exitCode !== 0)?.exitCode || 1 : 0);

interface Ran {
  exitCode: number;
  text: string;
}

async function runTests(options: string[]): Promise<Ran> {
  const run = Bun.spawn([process.execPath, 'test', '--timeout=60000', ...options], {
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
  return { exitCode: await run.exited, text };
}

function countOf(word: 'pass' | 'fail' | 'skip', text: string): number {
  return Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(text)?.[1] ?? 0);
}
