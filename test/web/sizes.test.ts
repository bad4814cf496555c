import { expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from '../../scripts/build-web.ts';

const KB = 1024;
/** Of what the network carries, gzip -9 unless it says br; a build that is larger does not land. */
const BUDGETS = {
  entry: 110 * KB,
  css: 15 * KB,
  lazyChunk: 60 * KB,
  studioChunks: 105 * KB,
  conversationRouteBr: 130 * KB,
  studioRouteBr: 220 * KB,
} as const;

const OUTPUT = process.env.WEB_OUT ?? join(import.meta.dir, '../../dist/web');
const { files } = await buildWeb();
const scripts = files.filter((file) => file.endsWith('.js'));

function weight(file: string, encoding: 'gz' | 'br'): number {
  const path = join(OUTPUT, file);
  try {
    return statSync(`${path}.${encoding}`).size;
  } catch {
    // Too small to gain from compression.
    return statSync(path).size;
  }
}

const sum = (list: Iterable<string>, encoding: 'gz' | 'br') =>
  [...list].reduce((bytes, file) => bytes + weight(file, encoding), 0);

/** Files that a script loads with itself; those that it loads later are calls of import(). */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(join(OUTPUT, file), 'utf8');
  for (const [, path] of text.matchAll(/(?:from|import)\s*"\/(assets\/[^"]+\.js)"/g))
    loadedWith(path as string, seen);
  return seen;
}

const page = readFileSync(join(OUTPUT, 'index.html'), 'utf8');
const entry = /src="\/(assets\/[^"]+\.js)"/.exec(page)?.[1] as string;
const styles = files.filter((file) => file.endsWith('.css'));
const atStart = loadedWith(entry);
const screen = (name: string) => scripts.find((file) => file.startsWith(`assets/${name}-`)) as string;
const route = (name: string) => new Set(['index.html', ...styles, ...atStart, ...loadedWith(screen(name))]);

function within(name: string, bytes: number, budget: number): void {
  console.log(`${name}: ${(bytes / KB).toFixed(1)} of ${budget / KB} KB`);
  expect(bytes, name).toBeLessThanOrEqual(budget);
}

test('the entry, the styles and each part loaded later are within their sizes', () => {
  within('entry', sum(atStart, 'gz'), BUDGETS.entry);
  within('styles', sum(styles, 'gz'), BUDGETS.css);
  const later = scripts.filter((file) => !atStart.has(file));
  for (const file of later) expect(weight(file, 'gz'), file).toBeLessThanOrEqual(BUDGETS.lazyChunk);
});

test('the conversation and Plan Studio are within theirs', () => {
  const studio = [...loadedWith(screen('plan-screen'))].filter((file) => !atStart.has(file));
  within('Plan Studio beside the entry', sum(studio, 'gz'), BUDGETS.studioChunks);
  within('conversation, all files, br', sum(route('space-screen'), 'br'), BUDGETS.conversationRouteBr);
  within('Plan Studio, all files, br', sum(route('plan-screen'), 'br'), BUDGETS.studioRouteBr);
});
