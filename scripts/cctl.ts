#!/usr/bin/env bun
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const NEEDED = ['node_modules/commander/package.json', 'core-wasm/core-wasm.gen.ts'];

// Nothing can be imported in a checkout that was never set up, and the loader's own error would not say what to do.
if (NEEDED.some((path) => !existsSync(join(root, path)))) {
  process.stderr.write('error: This checkout is not set up. Run `bun run setup` in it first.\n');
  process.exit(2);
}
const { main } = await import('./cli/main.ts');
process.exit(await main(process.argv.slice(2)));
