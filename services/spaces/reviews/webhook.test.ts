import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { createEdge } from '../../kit/edge.ts';
import { silentLog } from '../../kit/log.ts';
import { openSpaces, temporaryDirectory } from '../fixture.ts';
import { createTestReview, finding, type Json, NEW, type TestReview } from './test-review.ts';
import { isSigned } from './webhook-signature.ts';

const SECRET = 'a secret of the webhook';
let bench: TestReview;
beforeAll(async () => {
  bench = await createTestReview();
});
afterAll(() => bench.close());

const signed = (text: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;

/** A delivery over the edge, as it would come in from outside. */
async function deliver(body: Json, headers: Record<string, string> = {}, workspaceId = bench.workspaceId) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const edge = createEdge({
    hosts: () => ['127.0.0.1:4400'],
    bearerOf: async () => null,
    isOpen: (path) => path.startsWith('/hooks/'),
    serviceToken: null,
    handle: (request) => bench.open.spaces.app.fetch(request),
    log: silentLog,
  });
  const response = await edge(
    new Request(`http://127.0.0.1:4400/hooks/github/${workspaceId}`, {
      method: 'POST',
      headers: {
        ...{ host: '127.0.0.1:4400', 'content-type': 'application/json', 'x-github-event': 'pull_request' },
        'x-hub-signature-256': signed(text),
        ...headers,
      },
      body: text,
    }),
  );
  return { status: response.status, body: (await response.json()) as Json };
}
const about = (number: number, action = 'opened') => ({
  action,
  number,
  repository: { full_name: 'acme/shop' },
});

test('a signed delivery opens a review without a token, and a push refreshes it', async () => {
  bench.github.open({ number: 1, base: { 'src/a.ts': 'a\n' }, head: { 'src/a.ts': NEW } });
  const { status, body } = await deliver(about(1));
  expect([status, body.state]).toEqual([200, 'looked']);
  const opened = await bench.ok('GET', `/${body.reviewId}`);
  expect(opened).toMatchObject({ number: 1, openedBy: 'service:reviews', headSha: body.headSha });
  await bench.ok('POST', `/${body.reviewId}/findings`, finding());
  const headSha = bench.github.push(1, { files: { 'src/a.ts': `top\n${NEW}` } });
  const again = await deliver(about(1, 'synchronize'));
  expect(again.body).toEqual({ state: 'looked', reviewId: body.reviewId, headSha });
  const view = await bench.ok('GET', `/${body.reviewId}`);
  expect(view.findings[0].place).toMatchObject({ startLine: 4, state: 'moved' });
  expect((await deliver(about(1, 'reopened'))).body.headSha).toBe(headSha);
});

test('nothing else is done: other events, other actions', async () => {
  const before = bench.github.requests.length;
  expect((await deliver(about(1, 'labeled'))).body).toEqual({ state: 'ignored' });
  expect((await deliver({ zen: 'x' }, { 'x-github-event': 'ping' })).body).toEqual({ state: 'ignored' });
  expect(bench.github.requests).toHaveLength(before);
});

test('what is not signed with the secret is refused, whatever else it brings', async () => {
  const text = JSON.stringify(about(1));
  const wrong: Record<string, string>[] = [
    { 'x-hub-signature-256': signed(text, 'another secret of someone') },
    { 'x-hub-signature-256': signed(`${text} `) },
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': `sha1=${'0'.repeat(40)}` },
    { 'x-hub-signature-256': signed(text).toUpperCase() },
    { 'x-hub-signature-256': `${signed(text)}00` },
  ];
  for (const headers of wrong) {
    const more = { 'x-control-center-actor': 'service:runs', authorization: 'Bearer x' };
    const { status, body } = await deliver(text, { ...headers, ...more });
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  }
  expect((await deliver(text, { 'x-hub-signature-256': '' }, 'ws_none')).status).toBe(401);
});

test('a foreign host, a page of another site and a body too large are refused before the signature', async () => {
  expect((await deliver(about(1), { host: 'evil.example' })).body.code).toBe('foreign_host');
  expect((await deliver(about(1), { origin: 'https://evil.example' })).body.code).toBe('foreign_origin');
  expect((await deliver(about(1), { 'content-type': 'text/plain' })).body.code).toBe('invalid_request');
  const large = await deliver({ ...about(1), padding: 'x'.repeat(9 << 20) });
  expect([large.status, large.body.code]).toEqual([413, 'too_large']);
});

test('a signed delivery that names no pull request, workspace or provider is said to be so', async () => {
  for (const body of [
    'not json',
    '[]',
    '{}',
    JSON.stringify({ ...about(1), repository: { full_name: '../x' } }),
  ]) {
    expect((await deliver(body)).body.code).toBe('invalid_request');
  }
  expect((await deliver(about(1), {}, 'ws_none')).body.code).toBe('not_found');
  expect((await deliver(about(99))).body.code).toBe('provider_not_found');
});

test('without a secret the path does not exist', async () => {
  const directory = temporaryDirectory();
  const open = await openSpaces({ dataDir: directory.path });
  const text = JSON.stringify(about(1));
  const request = (path: string) =>
    open.spaces.app.request(path, {
      method: 'POST',
      headers: { 'x-hub-signature-256': signed(text, '') },
      body: text,
    });
  const hook = await request('/hooks/github/ws_1');
  expect([hook.status, ((await hook.json()) as Json).code]).toEqual([404, 'not_found']);
  await open.close();
  directory.remove();
});

test('a signature is compared over the bytes', () => {
  const body = new TextEncoder().encode('{"a":1}');
  expect(isSigned(body, signed('{"a":1}'), SECRET)).toBe(true);
  expect(isSigned(body, undefined, SECRET)).toBe(false);
  expect(isSigned(body, 'sha256=', SECRET)).toBe(false);
});
