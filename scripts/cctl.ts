#!/usr/bin/env bun
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from './setup.ts';

const root = join(import.meta.dir, '..');
const NEEDED = ['node_modules/commander/package.json', 'core-wasm/core-wasm.gen.ts'];

// Nothing can be imported in a checkout that was never set up, so that comes first, whichever command it is.
if (NEEDED.some((path) => !existsSync(join(root, path)))) await setUp();
const { main } = await import('./cli/main.ts');
process.exit(await main(process.argv.slice(2)));
