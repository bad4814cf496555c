import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createTestReview, finding, type Json, NEW, OLD, type TestReview } from './test-review.ts';

let bench: TestReview;
beforeAll(async () => {
  bench = await createTestReview();
});
afterAll(() => bench.close());

let number = 300;
const BIG = Array.from({ length: 40 }, (_, i) => `l${i + 1}\n`).join('');

/** A review with a verdict; its pull request has a comment's worth of findings. */
async function reviewed(more: Json = {}, verdict: Json = {}): Promise<{ opened: Json; outcome: Json }> {
  const opened = await opening(more);
  await bench.ok(
    'POST',
    `/${opened.id}/findings`,
    finding({ priority: 'P0', confidence: 0.9, ...verdict }),
    bench.author,
  );
  return { opened, outcome: await finalized(opened.id) };
}
async function opening(more: Json = {}): Promise<Json> {
  number += 1;
  return bench.review({
    number,
    base: { 'src/a.ts': OLD, 'big.ts': BIG },
    head: { 'src/a.ts': NEW, 'big.ts': BIG },
    ...more,
  });
}
const finalized = (id: string, actor = bench.author) => bench.ok('POST', `/${id}/finalize`, {}, actor);
const publish = (id: string, actor = bench.open.person) =>
  bench.call('POST', `/reviews/${id}/publish`, {}, actor);
const madeOf = () => bench.github.pulls.get(number)!.reviews;
const inState = (id: string, state: string) =>
  bench.until(id, ({ publication }) => publication?.state === state);
const approvalOf = async (id: string): Promise<Json> => {
  const { publication } = await bench.until(id, (view) => view.publication?.approvalId !== null);
  return (await bench.call('GET', `/approvals/${publication.approvalId}`)).body;
};
const decide = (approvalId: string, body: Json) =>
  bench.call('POST', `/approvals/${approvalId}/decision`, body);
const allow = (scopeId: string) =>
  bench.call('PUT', '/guardrails/rules', { scope: 'space', scopeId, effect: 'pr_publish', action: 'allow' });

test('a person publishes one review: comments on lines of the diff, the rest in the body', async () => {
  const opened = await opening();
  const add = (more: Json) => bench.ok('POST', `/${opened.id}/findings`, finding(more), bench.author);
  await add({ priority: 'P0', confidence: 0.9, body: 'On a line.' });
  await add({ anchor: { path: 'src/a.ts', startLine: 3, endLine: 5 }, body: 'On a range.' });
  await add({ anchor: { path: 'src/a.ts', startLine: 8, side: 'LEFT' }, body: 'On what was.' });
  await add({ anchor: { path: 'big.ts', startLine: 20 }, body: 'On no line of the diff.' });
  await add({ anchor: null, body: 'On the whole.' });
  const outcome = await finalized(opened.id);
  expect(outcome.publication).toMatchObject({
    state: 'asked',
    reason: expect.stringContaining('pr_publish'),
  });
  expect((await publish(opened.id, bench.author)).body.code).toBe('people_only');
  const { status, body } = await publish(opened.id);
  expect([status, body.state, body.requestedBy]).toEqual([200, 'published', bench.open.person]);
  expect(madeOf()).toHaveLength(1);
  const [made] = madeOf();
  expect(made).toMatchObject({ event: 'REQUEST_CHANGES', commit_id: opened.headSha });
  expect(made!.body.split('\n')[0]).toBe(`<!-- control-center review ${outcome.verdict.id} -->`);
  for (const text of ['Verdict: block', 'On no line of the diff.', 'big.ts:20', 'On the whole.']) {
    expect(made!.body).toContain(text);
  }
  expect(made!.comments.map(({ body: _, ...comment }) => comment)).toEqual([
    { path: 'src/a.ts', line: 3, side: 'RIGHT' },
    { path: 'src/a.ts', line: 5, side: 'RIGHT', start_line: 3, start_side: 'RIGHT' },
    { path: 'src/a.ts', line: 8, side: 'LEFT' },
  ]);
  expect(body.providerUrl).toContain(`pull/${number}#pullrequestreview-`);
  const events = await bench.open.events(bench.workspaceId, 'review.published');
  expect(events.filter(({ subject }) => subject === opened.id)).toMatchObject([{ actor: bench.open.person }]);
});

test('publishing again, by many at once and after a new start, publishes once', async () => {
  const { opened } = await reviewed();
  const all = await Promise.all(Array.from({ length: 6 }, () => publish(opened.id)));
  expect(new Set(all.map(({ body }) => body.state))).toEqual(new Set(['published']));
  expect((await finalized(opened.id)).repeated).toBe(true);
  await bench.restart();
  expect((await publish(opened.id)).body.state).toBe('published');
  expect(madeOf()).toHaveLength(1);
});

test('by default it waits for a person: approved it is published, refused it is not and says why', async () => {
  const { opened, outcome } = await reviewed();
  const approval = await approvalOf(opened.id);
  expect(approval).toMatchObject({
    ...{ kind: 'action', status: 'pending', requester: bench.author, spaceId: opened.spaceId, runId: null },
    arguments: {
      ...{
        tool: 'publish_review',
        reviewId: opened.id,
        headSha: opened.headSha,
        verdict: 'block',
        findings: 1,
      },
      asked: ['pr_publish'],
    },
  });
  const { body: inbox } = await bench.call('GET', '/inbox');
  expect(inbox.items.some((item: Json) => item.id === approval.id)).toBe(true);
  expect(madeOf()).toEqual([]);
  expect((await decide(approval.id, { decision: 'approved', digest: approval.digest })).status).toBe(200);
  const { publication } = await inState(opened.id, 'published');
  expect(publication).toMatchObject({ requestedBy: bench.open.person, verdictId: outcome.verdict.id });
  expect(madeOf()).toHaveLength(1);

  const other = await reviewed();
  const asked = await approvalOf(other.opened.id);
  await decide(asked.id, { decision: 'refused', reason: 'Say it in person.' });
  const refused = await inState(other.opened.id, 'refused');
  expect(refused.publication.reason).toBe('Say it in person.');
  expect(madeOf()).toEqual([]);
  expect((await publish(other.opened.id)).body.state).toBe('published');
});

test('a decision that came while nothing ran is followed at the next start', async () => {
  const { opened } = await reviewed();
  const { id, digest } = await approvalOf(opened.id);
  bench.github.fail({ path: /./, times: 999, fault: { kind: 'status', status: 503 } });
  await decide(id, { decision: 'approved', digest });
  await bench.until(opened.id, ({ publication }) => publication.fault?.code === 'provider_unavailable');
  bench.github.mend();
  await bench.restart();
  await inState(opened.id, 'published');
  expect(madeOf()).toHaveLength(1);
});

test('a rule publishes at once, another denies, and one granted with an approval holds from then on', async () => {
  const opened = await opening();
  expect((await allow(opened.spaceId)).status).toBe(200);
  await bench.ok('POST', `/${opened.id}/findings`, finding({ priority: 'P2' }), bench.author);
  const outcome = await finalized(opened.id);
  expect(outcome.publication.state).toBe('pending');
  await inState(opened.id, 'published');
  expect(madeOf()).toMatchObject([{ event: 'COMMENT' }]);

  const denied = await opening();
  const rule = { scope: 'workspace', effect: 'pr_publish', action: 'deny' };
  const { body: set } = await bench.call('PUT', '/guardrails/rules', rule);
  expect((await finalized(denied.id)).publication).toMatchObject({
    ...{ state: 'denied', reason: expect.stringContaining(set.id) },
  });
  const { body: space } = await bench.call('GET', `/spaces/${denied.spaceId}`);
  const { body: messages } = await bench.call('GET', `/conversations/${space.mainConversationId}/messages`);
  expect(messages.items[0].body).toContain('does not go to the pull request');
  await bench.call('DELETE', `/guardrails/rules/${set.id}`);
  expect(madeOf()).toEqual([]);

  const granted = await opening();
  await finalized(granted.id);
  const asked = await approvalOf(granted.id);
  await decide(asked.id, { decision: 'approved', grant: 'rule', digest: asked.digest });
  await inState(granted.id, 'published');
  await bench.ok('POST', `/${granted.id}/findings`, finding(), bench.author);
  expect((await finalized(granted.id)).publication.state).toBe('pending');
  await inState(granted.id, 'published');
  expect(madeOf()).toHaveLength(2);
});

test('the dial of the space holds: proposing only publishes nothing, acting freely asks nobody', async () => {
  const first = await opening();
  await bench.call('PATCH', `/spaces/${first.spaceId}`, { autonomy: 'proposeOnly' });
  expect((await finalized(first.id)).publication.state).toBe('denied');
  const second = await opening();
  await bench.call('PATCH', `/spaces/${second.spaceId}`, { autonomy: 'actFreely' });
  expect((await finalized(second.id)).publication.state).toBe('pending');
  await inState(second.id, 'published');
});

test('a verdict for a head that is gone is not published, and its question is taken back', async () => {
  const { opened } = await reviewed();
  const approval = await approvalOf(opened.id);
  bench.github.push(number, { files: { 'src/a.ts': `top\n${NEW}`, 'big.ts': BIG } });
  const { status, body } = await publish(opened.id);
  expect([status, body.code]).toEqual([409, 'stale_revision']);
  expect(madeOf()).toEqual([]);
  expect((await bench.ok('GET', `/${opened.id}`)).publication.state).toBe('stale');
  expect((await bench.call('GET', `/approvals/${approval.id}`)).body.status).toBe('superseded');
  const next = await finalized(opened.id);
  expect(next.repeated).toBe(false);
  expect((await publish(opened.id)).body.state).toBe('published');
  expect(madeOf()).toMatchObject([{ commit_id: next.verdict.headSha, comments: [{ line: 4 }] }]);

  const other = await reviewed();
  const asked = await approvalOf(other.opened.id);
  bench.github.push(number, { files: { 'src/a.ts': 'all new\n', 'big.ts': BIG } });
  await bench.ok('POST', `/${other.opened.id}/refresh`);
  await inState(other.opened.id, 'stale');
  expect((await decide(asked.id, { decision: 'approved' })).body.code).toBe('already_decided');
  expect(madeOf()).toEqual([]);
});

test('a newer verdict takes the place of one that still waits', async () => {
  const { opened, outcome } = await reviewed();
  const first = await approvalOf(opened.id);
  await bench.ok('POST', `/${opened.id}/findings`, finding({ body: 'One more.' }), bench.author);
  const second = await finalized(opened.id);
  const next = await bench.until(opened.id, (view) => view.publication.approvalId !== null);
  expect(next.publication.verdictId).toBe(second.verdict.id);
  const { body } = await bench.call('GET', `/approvals/${first.id}`);
  expect(body.status).toBe('superseded');
  await decide(next.publication.approvalId, { decision: 'approved' });
  await inState(opened.id, 'published');
  expect(madeOf()).toHaveLength(1);
  expect(madeOf()[0]!.body).toContain(second.verdict.id);
  expect(madeOf()[0]!.body).not.toContain(outcome.verdict.id);
});

test('a provider that takes it in no form but a plainer one gets that', async () => {
  const own = await reviewed({ author: 'control-center' });
  expect((await publish(own.opened.id)).body.state).toBe('published');
  expect(madeOf()).toMatchObject([{ event: 'COMMENT', comments: [{ line: 3 }] }]);
  const { opened } = await reviewed();
  const message = 'Pull request review thread line must be part of the diff';
  bench.github.fail({ method: 'POST', fault: { kind: 'status', status: 422, message } });
  expect((await publish(opened.id)).body.state).toBe('published');
  expect(madeOf()).toMatchObject([{ event: 'REQUEST_CHANGES', comments: [] }]);
  expect(madeOf()[0]!.body).toContain('This breaks.');
});

for (const when of ['before', 'after'] as const) {
  test(`a connection cut ${when} the provider took it is found out, and it is there once`, async () => {
    const { opened } = await reviewed();
    bench.github.fail({ method: 'POST', path: /reviews$/, fault: { kind: 'cut', when } });
    const { body } = await publish(opened.id);
    expect(body).toMatchObject({
      state: 'pending',
      fault: { code: 'provider_unavailable', retryable: true },
    });
    await inState(opened.id, 'published');
    expect(madeOf()).toHaveLength(1);
  });
}

test('a rate limit is waited out, a refused token waits for a person', async () => {
  const { opened } = await reviewed();
  const limited = { kind: 'status' as const, status: 429, headers: { 'retry-after': '1' } };
  bench.github.fail({ method: 'POST', path: /reviews$/, fault: limited });
  expect((await publish(opened.id)).body).toMatchObject({
    state: 'pending',
    fault: { code: 'provider_rate_limited' },
  });
  await inState(opened.id, 'published');
  expect(madeOf()).toHaveLength(1);

  const other = await reviewed();
  bench.github.fail({ method: 'POST', path: /reviews$/, fault: { kind: 'status', status: 401 } });
  expect((await publish(other.opened.id)).body).toMatchObject({
    code: 'provider_token_refused',
    retryable: false,
  });
  expect((await bench.ok('GET', `/${other.opened.id}`)).publication.state).toBe('failed');
  expect((await publish(other.opened.id)).body.state).toBe('published');
});

test('there is nothing to publish before there is a verdict', async () => {
  const opened = await opening();
  expect((await publish(opened.id)).body.code).toBe('wrong_status');
});
