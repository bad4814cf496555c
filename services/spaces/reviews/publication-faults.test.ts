import { afterAll, beforeAll, expect, test } from 'bun:test';
import { publications } from './test-publication.ts';
import { createTestReview, type TestReview } from './test-review.ts';

let bench: TestReview;
let of: ReturnType<typeof publications>;
beforeAll(async () => {
  bench = await createTestReview();
  of = publications(bench, 400);
});
afterAll(() => bench.close());

test('a provider that takes it in no form but a plainer one gets that', async () => {
  const own = await of.reviewed({ author: 'control-center' });
  expect((await of.publish(own.opened.id)).body.state).toBe('published');
  expect(of.madeOf()).toMatchObject([{ event: 'COMMENT', comments: [{ line: 3 }] }]);
  const { opened } = await of.reviewed();
  const message = 'Pull request review thread line must be part of the diff';
  bench.github.fail({ method: 'POST', fault: { kind: 'status', status: 422, message } });
  expect((await of.publish(opened.id)).body.state).toBe('published');
  expect(of.madeOf()).toMatchObject([{ event: 'REQUEST_CHANGES', comments: [] }]);
  expect(of.madeOf()[0]!.body).toContain('This breaks.');
});

for (const when of ['before', 'after'] as const) {
  test(`a connection cut ${when} the provider took it is found out, and it is there once`, async () => {
    const { opened } = await of.reviewed();
    bench.github.fail({ method: 'POST', path: /reviews$/, fault: { kind: 'cut', when } });
    const { body } = await of.publish(opened.id);
    expect(body).toMatchObject({
      state: 'pending',
      fault: { code: 'provider_unavailable', retryable: true },
    });
    await of.inState(opened.id, 'published');
    expect(of.madeOf()).toHaveLength(1);
  });
}

test('a rate limit is waited out, a refused token waits for a person', async () => {
  const { opened } = await of.reviewed();
  const limited = { kind: 'status' as const, status: 429, headers: { 'retry-after': '1' } };
  bench.github.fail({ method: 'POST', path: /reviews$/, fault: limited });
  expect((await of.publish(opened.id)).body).toMatchObject({
    state: 'pending',
    fault: { code: 'provider_rate_limited' },
  });
  await of.inState(opened.id, 'published');
  expect(of.madeOf()).toHaveLength(1);

  const other = await of.reviewed();
  bench.github.fail({ method: 'POST', path: /reviews$/, fault: { kind: 'status', status: 401 } });
  expect((await of.publish(other.opened.id)).body).toMatchObject({
    code: 'provider_token_refused',
    retryable: false,
  });
  expect((await bench.ok('GET', `/${other.opened.id}`)).publication.state).toBe('failed');
  expect((await of.publish(other.opened.id)).body.state).toBe('published');
});

test('who publishes again while a limit holds sets off no second round of attempts', async () => {
  const { opened } = await of.reviewed();
  const limited = { kind: 'status' as const, status: 429, headers: { 'retry-after': '1' } };
  const posts = () => bench.github.requests.filter(({ method }) => method === 'POST').length;
  const before = posts();
  bench.github.fail({ method: 'POST', path: /reviews$/, fault: limited, times: 4 });
  for (const _ of [1, 2, 3]) expect((await of.publish(opened.id)).body.state).toBe('pending');
  const startedAt = Date.now();
  await of.inState(opened.id, 'published');
  // One after a second, and the one that is taken two seconds after that.
  expect(posts() - before).toBe(5);
  expect(Date.now() - startedAt).toBeGreaterThan(2_900);
}, 20_000);

test('there is nothing to publish before there is a verdict', async () => {
  const opened = await of.opening();
  expect((await of.publish(opened.id)).body.code).toBe('wrong_status');
});
