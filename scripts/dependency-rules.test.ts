import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dir, '..');
const tree = mkdtempSync(join(tmpdir(), 'dependency-rules-'));
afterAll(() => rmSync(tree, { recursive: true, force: true }));

/** One seeded violation a rule: the file that breaks it, and its text. */
const SEEDED: Record<string, [file: string, text: string]> = {
  'no-cycle': ['services/spaces/a.ts', "import { b } from './b.ts';\nexport const a = () => b;\n"],
  unresolved: ['services/spaces/lost.ts', "import { x } from './nowhere.ts';\nexport const y = x;\n"],
  'assembly-imports-nothing': [
    'core-wasm/assembly/kernel.ts',
    "import { mode } from '../profile.ts';\nexport const k = mode;\n",
  ],
  'core-imports-zod-only': ['core-wasm/heavy.ts', "import { Hono } from 'hono';\nexport const h = Hono;\n"],
  'services-not-across': [
    'services/runs/reach.ts',
    "import { b } from '../spaces/b.ts';\nexport const r = b;\n",
  ],
  'kit-knows-no-service': [
    'services/kit/nosy.ts',
    "import { b } from '../spaces/b.ts';\nexport const n = b;\n",
  ],
  'schema-is-the-bottom': [
    'services/spaces/tickets/schema.ts',
    "import { s } from './store.ts';\nexport const t = s;\n",
  ],
  'domain-below-store-and-routes': [
    'services/spaces/projects/projects.ts',
    "import { s } from './store.ts';\nexport const p = s;\n",
  ],
  'store-below-routes': [
    'services/spaces/teams/store.ts',
    "import { r } from './routes.ts';\nexport const q = r;\n",
  ],
  'drizzle-at-the-bottom': [
    'services/spaces/query.ts',
    "import { eq } from 'drizzle-orm';\nexport const e = eq;\n",
  ],
  'libsql-in-kit-only': [
    'services/spaces/raw.ts',
    "import { createClient } from '@libsql/client';\nexport const c = createClient;\n",
  ],
  'adapters-at-their-edge': [
    'services/spaces/provider.ts',
    "import { Octokit } from '@octokit/rest';\nexport const o = Octokit;\n",
  ],
  'hono-in-routes': ['services/spaces/http.ts', "import { Hono } from 'hono';\nexport const h = Hono;\n"],
  'product-without-tests': [
    'services/spaces/staged.ts',
    "import { m } from '../../test/model.ts';\nexport const s = m;\n",
  ],
  'web-only-types-of-services': [
    'web/page.ts',
    "import { b } from '../services/spaces/b.ts';\nexport const w = b;\n",
  ],
};

const INNOCENT: Record<string, string> = {
  'services/spaces/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
  'core-wasm/profile.ts': "import * as z from 'zod';\nexport const mode = z.string();\n",
  'services/spaces/tickets/store.ts': 'export const s = 1;\n',
  'services/spaces/projects/store.ts': 'export const s = 1;\n',
  'services/spaces/teams/routes.ts': "import { Hono } from 'hono';\nexport const r = Hono;\n",
  'services/runs/typed.ts': "import type { b } from '../spaces/b.ts';\nexport type B = typeof b;\n",
  'test/model.ts': 'export const m = 1;\n',
};

test('each dependency rule catches its seeded violation, and nothing innocent', async () => {
  for (const [file, text] of [...Object.values(SEEDED), ...Object.entries(INNOCENT)]) write(file, text);
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  write(
    'services/tsconfig.json',
    '{ "compilerOptions": { "module": "preserve", "moduleResolution": "bundler", "allowImportingTsExtensions": true, "noEmit": true } }',
  );
  const config = join(root, 'scripts/dependency-cruiser.cjs');
  const command = [
    'x',
    '--bun',
    '--no-install',
    'depcruise',
    '--config',
    config,
    'core-wasm',
    'services',
    'web',
    'test',
  ];
  const run = Bun.spawn([process.execPath, ...command], { cwd: tree, stdout: 'pipe', stderr: 'pipe' });
  const caught = [...(await run.stdout.text()).matchAll(/^\s*error ([\w-]+): (\S+)/gm)].map((match) =>
    match.slice(1, 3),
  );
  const { forbidden } = (await import(config)).default as { forbidden: { name: string }[] };
  expect(Object.keys(SEEDED).sort()).toEqual(forbidden.map(({ name }) => name).sort());
  for (const [name, [file]] of Object.entries(SEEDED)) expect(caught).toContainEqual([name, file]);
  const guilty = new Set(Object.values(SEEDED).map(([file]) => file)).add('services/spaces/b.ts');
  expect(caught.filter(([, file]) => !guilty.has(String(file)))).toEqual([]);
  expect(await run.exited).not.toBe(0);
}, 60_000);

function write(file: string, text: string): void {
  const path = join(tree, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
