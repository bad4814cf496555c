import { expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from '../../scripts/build-web.ts';

const KB = 1024;
/** Of what the network carries, gzip -9 unless it says br; a build that is larger does not land. */
const BUDGETS = {
  entry: 110 * KB,
  routeStyles: 15 * KB,
  lazyChunk: 60 * KB,
  studioChunks: 60 * KB,
  conversationRouteBr: 130 * KB,
  studioRouteBr: 170 * KB,
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
const firstStyles = /href="\/(assets\/[^"]+\.css)"/.exec(page)?.[1] as string;
const partStyles = JSON.parse(/id="part-styles">([^<]*)</.exec(page)?.[1] as string) as Record<
  string,
  string
>;
const atStart = loadedWith(entry);
/** The script of a part by the name of its module. */
const scriptOf = (part: string) =>
  scripts.find((file) => file.replace(/-[a-z0-9]+\.js$/, '') === `assets/${part}`) as string;
const stylesOf = (part: string) => (partStyles[part] === undefined ? [] : [partStyles[part].slice(1)]);
/** All that is fetched until a screen made of `parts` stands. */
const route = (...parts: string[]) =>
  new Set([
    ...['index.html', firstStyles, ...atStart],
    ...parts.flatMap((part) => [...loadedWith(scriptOf(part)), ...stylesOf(part)]),
  ]);
const CONVERSATION = ['space-screen', 'markdown-body'];
const STUDIO = ['plan-screen', 'canvas', 'estimates-core', 'markdown-body'];

function within(name: string, bytes: number, budget: number): void {
  console.log(`${name}: ${(bytes / KB).toFixed(1)} of ${budget / KB} KB`);
  expect(bytes, name).toBeLessThanOrEqual(budget);
}

test('the entry and each part loaded later are within their sizes', () => {
  within('entry', sum(atStart, 'gz'), BUDGETS.entry);
  const later = scripts.filter((file) => !atStart.has(file));
  for (const file of later) expect(weight(file, 'gz'), file).toBeLessThanOrEqual(BUDGETS.lazyChunk);
});

test('no screen has more styles than it may', () => {
  for (const parts of [...Object.keys(partStyles).map((part) => [part]), CONVERSATION, STUDIO]) {
    const bytes = sum([firstStyles, ...parts.flatMap(stylesOf)], 'gz');
    expect(bytes, parts.join(' and ')).toBeLessThanOrEqual(BUDGETS.routeStyles);
  }
});

test('the conversation and Plan Studio are within their sizes', () => {
  // What it shares with other screens counts where everything is counted.
  within(
    'Plan Studio and its canvas',
    sum(['plan-screen', 'canvas'].map(scriptOf), 'gz'),
    BUDGETS.studioChunks,
  );
  within('conversation, all files, br', sum(route(...CONVERSATION), 'br'), BUDGETS.conversationRouteBr);
  within('Plan Studio, all files, br', sum(route(...STUDIO), 'br'), BUDGETS.studioRouteBr);
});
