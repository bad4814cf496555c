import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createEdge } from '../kit/edge.ts';
import { silentLog } from '../kit/log.ts';
import { createWebApp } from './web-app.ts';

const home = mkdtempSync(join(tmpdir(), 'web-app-'));
const folder = join(home, 'web');
const PAGE = `<!doctype html>${'<p>page</p>'.repeat(200)}`;
const SCRIPT = 'export const x = 1;'.repeat(100);
let server: ReturnType<typeof Bun.serve>;
let here = '';

beforeAll(() => {
  const hosts: string[] = [];
  const edge = createEdge({
    hosts: () => hosts,
    bearerOf: async () => null,
    outside: createWebApp({ folder, log: silentLog }),
    serviceToken: null,
    handle: () => Response.json('inside'),
    log: silentLog,
  });
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: edge });
  here = server.url.origin;
  hosts.push(server.url.host);
});
afterAll(async () => {
  await server.stop(true);
  rmSync(home, { recursive: true, force: true });
});
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(home, 'secret.js'), 'the secret');
  writeFileSync(join(folder, '.hidden.js'), 'hidden');
  symlinkSync(join(home, 'secret.js'), join(folder, 'linked.js'));
  symlinkSync(home, join(folder, 'up'));
  write('assets/app-1.js', SCRIPT);
  writeFileSync(join(folder, 'assets/icon-1.svg'), '<svg/>');
  write('index.html', PAGE);
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
  // As a build does it: the page takes its place at once, and is another file than before.
  writeFileSync(join(folder, `${name}.new`), text);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(here + path, { method, headers: { 'accept-encoding': 'identity', ...headers }, decompress: false });

test.each(['/', '/index.html', '/sign-in', '/w/shop/spaces/spc_1', '/w/shop/', '/apis'])(
  '%s is the page, for anybody',
  async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, PAGE]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag: expect.stringMatching(/^"[\w-]{22}-identity"$/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'content-security-policy':
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    });
  },
);

test('an asset is kept for ever', async () => {
  const response = await get('/assets/app-1.js');
  expect([response.status, await response.text()]).toEqual([200, SCRIPT]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(response.headers.get('content-security-policy')).toBeNull();
  expect((await get('/assets/icon-1.svg')).headers.get('content-type')).toBe('image/svg+xml');
});

test('it is sent as the browser takes it', async () => {
  const bytesOf = async (accepted: string, path = '/assets/app-1.js') => {
    const response = await get(path, { 'accept-encoding': accepted });
    return { encoding: response.headers.get('content-encoding'), bytes: await response.bytes() };
  };
  const brotli = await bytesOf('gzip, deflate, br');
  expect([brotli.encoding, brotliDecompressSync(brotli.bytes).toString()]).toEqual(['br', SCRIPT]);
  const gzip = await bytesOf('br;q=0.1, gzip');
  expect([gzip.encoding, gunzipSync(gzip.bytes).toString()]).toEqual(['gzip', SCRIPT]);
  expect((await bytesOf('br', '/assets/icon-1.svg')).encoding).toBeNull();
  expect((await bytesOf('deflate')).encoding).toBeNull();
});

test('HEAD has the headers of GET and no body', async () => {
  for (const [path, accepted] of [
    ['/', 'br'],
    ['/assets/app-1.js', 'gzip'],
    ['/assets/app-1.js', 'identity'],
  ] as const) {
    const [asked, got] = await Promise.all(
      ['HEAD', 'GET'].map((method) => get(path, { 'accept-encoding': accepted }, method)),
    );
    const seen = (response?: Response) => {
      const { date, ...headers } = Object.fromEntries(response?.headers ?? []);
      return headers;
    };
    expect(seen(asked)).toEqual(seen(got));
    expect(await asked?.text()).toBe('');
  }
});

test('what a browser has already is not sent again, in each encoding its own', async () => {
  const etags = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (accepted) => {
      const etag = (await get('/', { 'accept-encoding': accepted })).headers.get('etag') ?? '';
      const again = await get('/', { 'accept-encoding': accepted, 'if-none-match': `"x", W/${etag}` });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('content-security-policy')).toContain("default-src 'none'");
      return etag;
    }),
  );
  expect(new Set(etags).size).toBe(3);
  expect((await get('/', { 'if-none-match': etags[0] ?? '' })).status).toBe(200);
});

test.each([
  '/none.js',
  '/assets/none-1.js',
  '/assets/app-1.js.br',
  '/linked.js',
  '/up/secret.js',
  '/.hidden.js',
  '/assets/../../secret.js',
  '/%2e%2e/secret.js',
  '/..%2fsecret.js',
  '/assets/..%2f..%2fsecret.js',
  '/..%5csecret.js',
  '/%2e%2e%2fsecret.js%00',
  '/%252e%252e%252fsecret.js',
  '//secret.js',
  `/${encodeURIComponent(join(home, 'secret.js'))}`,
])('%s is not there', async (path) => {
  const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: ${server.url.host}\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 404 [\s\S]*"code":"not_found"/);
  expect(answer.toLowerCase()).toContain('cache-control: no-store\r\n');
  expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff\r\n');
  expect(answer).not.toContain('the secret');
});

/** Sent as it stands: a client would tidy such a path up first. */
function raw(text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(server.port), '127.0.0.1', () => socket.write(text));
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString()));
  socket.on('close', () => resolve(received));
  socket.on('error', reject);
  socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')));
  return promise;
}

test('what becomes a link after the files were read is not followed', async () => {
  expect((await get('/assets/app-1.js')).status).toBe(200);
  rmSync(join(folder, 'assets/app-1.js'));
  symlinkSync(join(home, 'secret.js'), join(folder, 'assets/app-1.js'));
  expect((await get('/assets/app-1.js')).status).toBe(404);
});

test('the paths of services are theirs, and so is every method but GET and HEAD', async () => {
  for (const path of ['/api/x', '/api', '/hooks/x', '/internal/wake']) {
    expect([path, (await get(path)).status]).toEqual([path, 401]);
  }
  expect(await (await get('/healthz')).json()).toBe('inside');
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    expect((await get('/', {}, method)).status).toBe(401);
  }
});

test('another host and another page are refused here as well', async () => {
  expect((await get('/', { host: 'evil.example' })).status).toBe(403);
  expect((await get('/assets/app-1.js', { origin: 'http://evil.example' })).status).toBe(403);
});

test('a build that was made since is served from the next page on, with the assets of the one before', async () => {
  expect((await get('/assets/app-1.js')).status).toBe(200);
  write('assets/app-2.js', 'second');
  write('index.html', 'the second page');
  expect(await (await get('/w/shop')).text()).toBe('the second page');
  expect(await (await get('/assets/app-2.js')).text()).toBe('second');
  expect((await get('/assets/app-1.js')).status).toBe(200);
});

test('without a build it is said how to make one, and after it the app is there', async () => {
  rmSync(folder, { recursive: true });
  const page = await get('/', { accept: 'text/html,*/*' });
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<code>bun scripts/build-web.ts</code>');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const problem = await get('/', { accept: 'application/json' });
  expect([problem.status, await problem.json()]).toEqual([
    503,
    expect.objectContaining({
      code: 'unavailable',
      detail: expect.stringContaining('bun scripts/build-web.ts'),
    }),
  ]);
  mkdirSync(join(folder, 'assets'), { recursive: true });
  write('index.html', PAGE);
  expect((await get('/')).status).toBe(200);
});
