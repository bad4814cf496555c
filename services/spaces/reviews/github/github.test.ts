import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type FakeGitHub, startFakeGitHub } from '../../../../test/github/server.ts';
import { Fault } from '../../../kit/fault.ts';
import { createGitHub } from './github.ts';

let github: FakeGitHub;
beforeAll(() => {
  github = startFakeGitHub();
  github.open({ number: 7, base: { 'a.ts': 'one\n' }, head: { 'a.ts': 'two\n' } });
});
afterAll(() => github.stop());

const REF = { repository: 'acme/shop', number: 7 };
const host = (more: Partial<Parameters<typeof createGitHub>[0]> = {}) =>
  createGitHub({ apiUrl: github.url, token: github.token, ...more });

async function faultOf(call: Promise<unknown>): Promise<Fault> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  github.mend();
  if (error instanceof Fault) return error;
  throw new Error(`no fault, but ${String(error)}`);
}

/** Every request of a kind fails so. */
function failing(status: number, headers?: Record<string, string>, message?: string) {
  const fault = { kind: 'status' as const, status, ...(headers && { headers }), ...(message && { message }) };
  github.fail({ times: 99, fault });
}

test('each fault of the provider has its code, says what to do, and whether again may help', async () => {
  expect(await faultOf(host({ token: null }).pull(REF))).toMatchObject({
    ...{ code: 'provider_token_missing', retryable: false, message: expect.stringContaining('GITHUB_TOKEN') },
  });
  expect(await faultOf(host({ token: 'wrong' }).pull(REF))).toMatchObject({ code: 'provider_token_refused' });
  const missing = await faultOf(host().pull({ ...REF, number: 8 }));
  expect(missing).toMatchObject({
    code: 'provider_not_found',
    message: expect.stringContaining('acme/shop#8'),
  });
  failing(403, {}, 'Resource not accessible by personal access token');
  expect(await faultOf(host().pull(REF))).toMatchObject({
    ...{ code: 'provider_forbidden', message: expect.stringContaining('Resource not accessible') },
  });
  failing(422, {}, 'Validation Failed');
  expect(await faultOf(host().pull(REF))).toMatchObject({ code: 'provider_refused', retryable: false });
  failing(500);
  expect(await faultOf(host().pull(REF))).toMatchObject({ code: 'provider_unavailable', retryable: true });
});

test('a rate limit says for how long, in each of the ways in which it is told', async () => {
  failing(429, { 'retry-after': '7' });
  expect(await faultOf(host().pull(REF))).toMatchObject({
    ...{ code: 'provider_rate_limited', retryable: true, detail: { retryAfterMs: 7_000 } },
  });
  failing(403, { 'retry-after': '2' }, 'You have exceeded a secondary rate limit');
  expect((await faultOf(host().pull(REF))).detail.retryAfterMs).toBe(2_000);
  const reset = Math.floor(Date.now() / 1_000) + 90;
  failing(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) });
  const { code, detail } = await faultOf(host().pull(REF));
  expect(code).toBe('provider_rate_limited');
  expect(Number(detail.retryAfterMs)).toBeGreaterThan(80_000);
  expect(Number(detail.retryAfterMs)).toBeLessThanOrEqual(90_000);
  failing(403, {}, 'API rate limit exceeded for user');
  expect((await faultOf(host().pull(REF))).code).toBe('provider_rate_limited');
});

test('no limit is believed to last longer than a day, so that no timer overflows', async () => {
  const DAY_MS = 24 * 3_600_000;
  for (const headers of [
    { 'retry-after': '99999999999' },
    { 'retry-after': 'Infinity' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.now() * 1_000) },
  ]) {
    failing(429, headers);
    expect((await faultOf(host().pull(REF))).detail).toEqual({ retryAfterMs: DAY_MS });
  }
});

test('a provider that is not there, says nothing or breaks off is unavailable', async () => {
  expect(await faultOf(host({ apiUrl: 'http://127.0.0.1:1' }).pull(REF))).toMatchObject({
    ...{ code: 'provider_unavailable', retryable: true },
  });
  github.fail({ times: 99, fault: { kind: 'cut', when: 'after' } });
  expect((await faultOf(host().pull(REF))).code).toBe('provider_unavailable');
  github.fail({ times: 99, fault: { kind: 'cut', when: 'after' } });
  expect((await faultOf(host().files(REF))).code).toBe('provider_unavailable');
  const silence = Promise.withResolvers<void>();
  github.fail({ times: 99, fault: { kind: 'hold', until: silence.promise } });
  expect((await faultOf(host({ timeoutMs: 50 }).pull(REF))).code).toBe('provider_unavailable');
  silence.resolve();
});

test('a reading that fails once is read again; a writing never is', async () => {
  github.fail({ fault: { kind: 'status', status: 502 } });
  expect((await host().pull(REF)).number).toBe(7);
  const body = { headSha: github.pulls.get(7)!.headSha, event: 'COMMENT' as const, body: 'x', comments: [] };
  for (const fault of [
    { kind: 'status' as const, status: 502 },
    { kind: 'cut' as const, when: 'before' as const },
    { kind: 'cut' as const, when: 'after' as const },
  ]) {
    const posts = () => github.requests.filter(({ method }) => method === 'POST').length;
    const before = posts();
    github.fail({ method: 'POST', fault });
    expect((await faultOf(host().createReview(REF, body))).code).toBe('provider_unavailable');
    expect(posts()).toBe(before + 1);
  }
});

test('the token goes to the provider alone: not to where it redirects, and into no fault', async () => {
  const elsewhere: string[] = [];
  const stranger = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      elsewhere.push(request.headers.get('authorization') ?? 'none');
      return Response.json({});
    },
  });
  github.fail({
    times: 99,
    fault: { kind: 'status', status: 302, headers: { location: stranger.url.href } },
  });
  expect((await faultOf(host().pull(REF))).code).toBe('provider_unavailable');
  expect(elsewhere).toEqual([]);
  await stranger.stop(true);
  const location = `${github.url}/repos/acme/shop/pulls/7`;
  github.fail({ path: /renamed/, fault: { kind: 'status', status: 301, headers: { location } } });
  expect((await host().pull({ repository: 'acme/renamed', number: 7 })).repository).toBe('acme/shop');
  const reviews = `${github.url}/repos/acme/shop/pulls/7/reviews`;
  github.fail({ path: /renamed/, fault: { kind: 'status', status: 307, headers: { location: reviews } } });
  const { headSha } = github.pulls.get(7)!;
  const review = { headSha, event: 'COMMENT' as const, body: 'Renamed.', comments: [] };
  await host().createReview({ repository: 'acme/renamed', number: 7 }, review);
  expect(github.pulls.get(7)!.reviews.filter(({ body }) => body === 'Renamed.')).toHaveLength(1);
  for (const status of [401, 403, 404, 422, 429, 500]) {
    failing(status, {}, `you sent ${status}`);
    const fault = await faultOf(host().pull(REF));
    expect(Bun.inspect([fault, fault.detail, fault.cause, fault.stack], { depth: 20 })).not.toContain(
      github.token,
    );
  }
  const odd = `${github.token}\u0001`;
  const fault = await faultOf(host({ token: odd }).pull(REF));
  expect(Bun.inspect([fault, fault.cause], { depth: 20 })).not.toContain(github.token);
});

test('texts are made fit for a database, and files that are no text are not compared', async () => {
  const { repository, pulls } = github;
  const files = { 'a.ts': 'a\0b\n', 'big.txt': 'x'.repeat(2_000_001), 'ok.txt': 'ok\n', 'empty.txt': '' };
  github.open({ number: 9, title: 'NUL \0 and half \ud800', base: { 'a.ts': 'x\n' }, head: files });
  const pull = await host().pull({ ...REF, number: 9 });
  expect([pull.title.isWellFormed(), pull.title.includes('\0')]).toEqual([true, false]);
  const { headSha } = pulls.get(9)!;
  const read = (path: string) => host().fileText('acme/shop', path, headSha);
  expect(await read('ok.txt')).toBe('ok\n');
  expect(await read('empty.txt')).toBe('');
  expect([await read('a.ts'), await read('big.txt'), await read('none')]).toEqual([null, null, null]);
  expect(repository.get(headSha)).toBeDefined();
  expect(await host().compare('acme/shop', 'f'.repeat(40), headSha)).toBeNull();
});

test('of a list that is longer than is ever read, what is missing is known, and the newest is found', async () => {
  const { headSha } = github.open({ number: 10, base: { a: 'a\n' }, head: { a: 'b\n' } });
  const review = { headSha, event: 'COMMENT' as const, body: '<!-- mine -->', comments: [] };
  const { reviews } = github.pulls.get(10)!;
  const other = { commit_id: headSha, event: 'COMMENT', body: '<!-- other -->', comments: [] };
  for (let id = 1; id <= 5_150; id++) reviews.push({ ...other, id: 10_000 + id });
  const ref = { ...REF, number: 10 };
  expect(await host().findReview(ref, '<!-- mine -->')).toBeNull();
  const made = await host().createReview(ref, review);
  expect(await host().findReview(ref, '<!-- mine -->')).toEqual(made);
  for (let i = 0; i < 120; i++) github.check(10, `unit ${i}`, 'success');
  expect(await host().checks('acme/shop', headSha)).toHaveLength(120);
  for (let i = 120; i < 5_001; i++) github.check(10, `unit ${i}`, i === 5_000 ? 'failure' : 'success');
  expect(await host().checks('acme/shop', headSha)).toBeNull();
}, 30_000);

test("its pages are the provider's own, or those of an own server", () => {
  expect(createGitHub({ apiUrl: 'https://api.github.com', token: null }).webHost).toBe('github.com');
  expect(createGitHub({ apiUrl: 'https://git.example:8443/api/v3', token: null }).webHost).toBe(
    'git.example:8443',
  );
});
