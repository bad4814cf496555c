import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES: Record<string, string> = {
  'package.json': `${JSON.stringify({ name: 'invoices', version: '1.0.0', type: 'module', scripts: { test: 'bun test' } }, null, 2)}\n`,
  'AGENTS.md':
    '# Invoices\nMoney is in cents. Run `bun test` before you commit. Note each change in CHANGELOG.md.\n',
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n',
  'invoice.ts': `export interface Line {
  name: string;
  quantity: number;
  priceCents: number;
}

/** Sum of all lines less the discount, in cents. */
export function totalCents(lines: Line[], discountPercent = 0): number {
  const sum = lines.reduce((total, line) => total + line.priceCents, 0);
  return Math.round(sum * (1 - discountPercent / 100));
}
`,
  'invoice.test.ts': `import { expect, test } from 'bun:test';
import { totalCents } from './invoice.ts';

const lines = [
  { name: 'pen', quantity: 3, priceCents: 120 },
  { name: 'book', quantity: 1, priceCents: 1500 },
];

test('each line counts as often as its quantity says', () => {
  expect(totalCents(lines)).toBe(1860);
});

test('the discount is taken from the sum', () => {
  expect(totalCents(lines, 10)).toBe(1674);
});
`,
  'csv.test.ts': `import { expect, test } from 'bun:test';
import { toCsv } from './csv.ts';

test('a header and one row a line', () => {
  expect(toCsv([{ name: 'pen', quantity: 3, priceCents: 120 }])).toBe('name,quantity,priceCents\\npen,3,120\\n');
});

test('a name with a comma or a quote is quoted', () => {
  expect(toCsv([{ name: 'desk, "oak"', quantity: 1, priceCents: 9900 }])).toContain('"desk, ""oak""",1,9900');
});
`,
};

/** Makes a small real repository whose tests fail: one bug in `invoice.ts`, and `csv.ts` is missing. */
export function createDemoRepository(directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text);
  git(directory, 'init', '-q', '-b', 'main');
  git(directory, 'add', '-A');
  git(
    directory,
    '-c',
    'user.name=Demo Person',
    '-c',
    'user.email=person@demo.invalid',
    'commit',
    '-q',
    '-m',
    'Invoices, with a bug and a gap',
  );
}

export interface TestOutcome {
  passed: boolean;
  output: string;
}

/** Runs the repository's own tests. */
export function runRepositoryTests(directory: string): TestOutcome {
  const run = Bun.spawnSync([process.execPath, 'test'], {
    cwd: directory,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { passed: run.exitCode === 0, output: run.stdout.toString() + run.stderr.toString() };
}

/** Runs git in the repository, without the person's own configuration (signing, hooks), and gives its output. */
export function git(directory: string, ...args: string[]): string {
  const run = Bun.spawnSync(['git', '-C', directory, ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      ...process.env,
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    },
  });
  if (run.exitCode !== 0) throw new Error(`git ${args[0]} failed: ${run.stderr.toString().trim()}`);
  return run.stdout.toString();
}
