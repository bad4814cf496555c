import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const folder = mkdtempSync(join(tmpdir(), 'build-web-'));
const output = join(folder, 'web');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function build(...options: string[]): string {
  const result = Bun.spawnSync([process.execPath, join(import.meta.dir, 'build-web.ts'), ...options], {
    env: { ...process.env, WEB_OUT: output },
  });
  expect(result.stderr.toString()).toBe('');
  return result.stdout.toString();
}

/** s, without compression (0.5 s here): more and people wait for what they changed. */
const BUNDLED = 3;

const assets = () => readdirSync(join(output, 'assets'));

test('what is built is compressed as it is, and built once', () => {
  const said = build();
  expect(Number(/bundled in ([\d.]+) s/.exec(said)?.[1])).toBeWithin(0, BUNDLED);
  const compressed = assets().filter((name) => name.endsWith('.br'));
  expect(compressed.length).toBeGreaterThan(1);
  for (const name of compressed) {
    const plain = readFileSync(join(output, 'assets', name.slice(0, -3)));
    expect(brotliDecompressSync(readFileSync(join(output, 'assets', name)))).toEqual(plain);
    expect(gunzipSync(readFileSync(join(output, 'assets', name.replace(/br$/, 'gz'))))).toEqual(plain);
  }
  expect(build()).toContain('up to date');
}, 30_000);

test('the page names its assets by whole paths, so that deep links find them', () => {
  const page = readFileSync(join(output, 'index.html'), 'utf8');
  const paths = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
  expect(paths.length).toBeGreaterThan(2);
  for (const path of paths) {
    expect(path).toStartWith('/assets/');
    expect(existsSync(join(output, path))).toBe(true);
  }
});

test('assets of the build before stay for tabs that are open; those before it go', () => {
  const manifest = join(output, 'build.json');
  const last = JSON.parse(readFileSync(manifest, 'utf8')) as { files: string[] };
  for (const name of ['old.js', 'older.js', 'old.js.br']) writeFileSync(join(output, 'assets', name), 'x');
  writeFileSync(manifest, JSON.stringify({ sources: 'other', files: [...last.files, 'assets/old.js'] }));
  expect(build()).toStartWith('built ');
  expect(assets()).toContain('old.js');
  expect(assets()).toContain('old.js.br');
  expect(assets()).not.toContain('older.js');
  build('--force');
  expect(assets()).not.toContain('old.js');
}, 30_000);
