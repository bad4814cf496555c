import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const areas = ['core-wasm', 'services', 'web', 'scripts', 'test'].filter((area) =>
  existsSync(join(root, area, 'tsconfig.json')),
);

/** Format and lint, one type check per area, the dependency rules, and what nothing uses. All run; any fault fails. */
const checks: [name: string, command: string[]][] = [
  ['biome', ['biome', 'check', '--error-on-warnings', '.']],
  ...areas.map((area): [string, string[]] => [`tsc ${area}`, ['tsc', '--noEmit', '-p', area]]),
  ['dependency rules', ['depcruise', '--config', 'scripts/dependency-cruiser.cjs', ...areas]],
  ['knip', ['knip', '--config', 'scripts/knip.json']],
];

const failed: string[] = [];
for (const [name, command] of checks) {
  const [binary, ...rest] = command as [string, ...string[]];
  const result = Bun.spawnSync([process.execPath, 'x', '--bun', '--no-install', binary, ...rest], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const ok = result.exitCode === 0;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}`);
  if (ok) continue;
  failed.push(name);
  console.log(result.stdout.toString() + result.stderr.toString());
}
if (failed.length > 0) process.exit(1);
