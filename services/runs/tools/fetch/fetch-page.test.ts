import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createFetchPage, type FetchOptions } from './fetch-page.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './test-certificate.ts';

const quiet = new AbortController().signal;
const closing: (() => void)[] = [];
const seen: string[] = [];
let port = 0;
let securePort = 0;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const ANSWERS: Record<string, Answer> = {
  '/plain': (request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end(`host ${request.headers.host}`);
  },
  '/headers': (request, response) => response.end(JSON.stringify(request.headers)),
  '/gzip': (_, response) => encoded(response, 'gzip', gzipSync('zipped')),
  '/deflate': (_, response) => encoded(response, 'deflate', deflateSync('deflated')),
  '/br': (_, response) => encoded(response, 'br', brotliCompressSync('brotli')),
  '/empty': (_, response) => encoded(response, 'gzip', Buffer.alloc(0)),
  '/odd': (_, response) => encoded(response, 'snappy', Buffer.from('x')),
  '/broken-gzip': (_, response) => encoded(response, 'gzip', Buffer.from('no gzip')),
  '/bomb': (_, response) => encoded(response, 'gzip', gzipSync(Buffer.alloc(200_000_000))),
  '/endless': (_, response) => {
    const write = () => void (response.writable && response.write(Buffer.alloc(64_000, 'x'), write));
    response.on('error', () => undefined);
    write();
  },
  '/silent': () => undefined,
  '/missing': (_, response) => response.writeHead(404).end('not here'),
};

function encoded(response: ServerResponse, encoding: string, body: Buffer): void {
  response.setHeader('content-encoding', encoding);
  response.end(body);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://here');
  seen.push(`${request.method} ${url.pathname}`);
  const to = url.searchParams.get('to');
  const steps = Number(url.searchParams.get('steps'));
  if (to !== null) response.writeHead(302, { location: to }).end();
  else if (steps > 0) response.writeHead(307, { location: `?steps=${steps - 1}` }).end('moved');
  else (ANSWERS[url.pathname] ?? ANSWERS['/plain'])?.(request, response);
}

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  port = await listening(createServer(answer));
  securePort = await listening(createSecureServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, answer));
});
afterAll(() => {
  for (const close of closing) close();
});

/** Fetches as if every name led to loopback, from the hosts that these tests serve. */
async function fetched(url: string, options: FetchOptions = {}) {
  const allow = ['pages.test', 'other.test', 'named.test', '127.0.0.1', '[::1]'].flatMap((host) => [
    `${host}:${port}`,
    `${host}:${securePort}`,
  ]);
  const page = await createFetchPage({ allow, resolve: async () => ['127.0.0.1'], ...options })(url, quiet);
  return { ...page, text: page.bytes.toString() };
}

const refusal = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) });

describe('the connection', () => {
  test('is made to the address that was checked, under the name that was asked for', async () => {
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      // Whoever asked twice would be led to where nothing is.
      return lookups === 1 ? ['127.0.0.1'] : ['127.0.0.2'];
    };
    const page = await fetched(`http://named.test:${port}/plain`, { resolve });
    expect(page).toMatchObject({ status: 200, text: `host named.test:${port}`, redirects: 0, isCut: false });
    expect(lookups).toBe(1);
  });

  test('is held to the certificate of the name, whatever the environment says', async () => {
    const url = `https://pages.test:${securePort}/plain`;
    expect((await fetched(url, { ca: CERTIFICATE })).text).toBe(`host pages.test:${securePort}`);
    const others = [
      () => fetched(url),
      () => fetched(`https://other.test:${securePort}/plain`, { ca: CERTIFICATE }),
      () => fetched(`https://127.0.0.1:${securePort}/plain`, { ca: CERTIFICATE }),
    ];
    for (const other of others)
      await expect(other()).rejects.toMatchObject(refusal('unavailable', /certificate/));
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await expect(fetched(url)).rejects.toMatchObject(refusal('unavailable', /certificate/));
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  test('goes through no proxy that the environment names', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'];
    for (const name of names) process.env[name] = 'http://127.0.0.1:1';
    try {
      expect((await fetched(`http://pages.test:${port}/plain`)).status).toBe(200);
    } finally {
      for (const name of names) delete process.env[name];
    }
  });

  test('is tried at the next address when one does not answer', async () => {
    const resolve = async () => ['127.0.0.9', '127.0.0.1'];
    expect((await fetched(`http://pages.test:${port}/plain`, { resolve })).status).toBe(200);
    const nowhere = fetched(`http://pages.test:${port}/plain`, { resolve: async () => ['127.0.0.9'] });
    await expect(nowhere).rejects.toMatchObject(refusal('unavailable', /ECONNREFUSED/));
  });

  test('carries nothing of this server: no cookie, no credentials, nothing to be reused', async () => {
    const headers = JSON.parse((await fetched(`http://pages.test:${port}/headers`)).text);
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(headers.connection).toBe('close');
  });
});

describe('redirects', () => {
  test('are followed five times, with each place checked', async () => {
    const page = await fetched(`http://pages.test:${port}/plain?steps=5`);
    expect(page).toMatchObject({ status: 200, redirects: 5 });
    expect(page.url.href).toBe(`http://pages.test:${port}/plain?steps=0`);
    const six = fetched(`http://pages.test:${port}/plain?steps=6`);
    await expect(six).rejects.toMatchObject(refusal('unavailable', /more than 5 times/));
  });

  test.each([
    ['http://169.254.169.254/latest/meta-data', 'forbidden'],
    ['//10.1.2.3/', 'forbidden'],
    ['http://pages.test:22/', 'invalid_request'],
    ['file:///etc/passwd', 'invalid_request'],
    ['http://me:secret@pages.test/', 'invalid_request'],
    ['http://intern.test/', 'forbidden'],
  ])('to %s is refused', async (to, code) => {
    const resolve = async (host: string) =>
      host === 'intern.test' ? ['10.0.0.1'] : host === 'pages.test' ? ['127.0.0.1'] : [host];
    const led = fetched(`http://pages.test:${port}/?to=${encodeURIComponent(to)}`, { resolve });
    await expect(led).rejects.toMatchObject({ code });
  });
});

describe('the body', () => {
  test.each([
    ['gzip', 'zipped'],
    ['deflate', 'deflated'],
    ['br', 'brotli'],
    ['empty', ''],
  ])('in %s is decompressed', async (path, text) => {
    expect((await fetched(`http://pages.test:${port}/${path}`)).text).toBe(text);
  });

  test('that cannot be decompressed is refused', async () => {
    const odd = fetched(`http://pages.test:${port}/odd`);
    await expect(odd).rejects.toMatchObject(refusal('unavailable', /snappy/));
    const broken = fetched(`http://pages.test:${port}/broken-gzip`);
    await expect(broken).rejects.toMatchObject(refusal('unavailable', /decompressed/));
  });

  test('is cut at 5 MB, on the way and after decompression', async () => {
    const before = process.memoryUsage().rss;
    for (const path of ['bomb', 'endless']) {
      const { bytes, isCut } = await fetched(`http://pages.test:${port}/${path}`);
      expect([bytes.length, isCut]).toEqual([5_000_000, true]);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(450_000_000);
  });

  test('comes with the status, whatever it is', async () => {
    expect(await fetched(`http://pages.test:${port}/missing`)).toMatchObject({
      status: 404,
      text: 'not here',
    });
  });

  test.each([
    ['that breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['of no HTTP server', 'SSH-2.0-OpenSSH\r\n'],
    ['behind endless headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(200_000)}\r\n`],
  ])('%s is no page', async (_, text) => {
    const server = createRawServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(text));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port: raw } = server.address() as AddressInfo;
    const page = fetched(`http://pages.test:${raw}/`, { allow: [`pages.test:${raw}`] });
    await expect(page).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('time', () => {
  test('ends a server that says nothing, a body without end, a name that nobody resolves', async () => {
    const never = new Promise<string[]>(() => undefined);
    const slow = { limitMs: 150 };
    const waits = [
      () => fetched(`http://pages.test:${port}/silent`, slow),
      () => fetched(`http://pages.test:${port}/silent`, { ...slow, resolve: () => never }),
    ];
    for (const wait of waits) await expect(wait()).rejects.toMatchObject(refusal('timeout', /within 0.15 s/));
  });

  test('a cancel ends it at once, and the connection with it', async () => {
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
    ANSWERS['/hang'] = (request) => request.socket.on('close', () => onClosed());
    const stop = new AbortController();
    const allow = [`pages.test:${port}`];
    const fetchPage = createFetchPage({ allow, resolve: async () => ['127.0.0.1'] });
    const page = fetchPage(`http://pages.test:${port}/hang`, stop.signal);
    const startedAt = performance.now();
    while (!seen.includes('GET /hang')) await Bun.sleep(5);
    stop.abort();
    await expect(page).rejects.toMatchObject({ code: 'cancelled' });
    await closed;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await expect(fetchPage(`http://pages.test:${port}/`, stop.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
