import { afterAll, beforeAll, expect, test } from 'bun:test';
import { BIG, publications } from './test-publication.ts';
import { createTestReview, finding, type Json, NEW, type TestReview } from './test-review.ts';

let bench: TestReview;
let of: ReturnType<typeof publications>;
beforeAll(async () => {
  bench = await createTestReview();
  of = publications(bench, 300);
});
afterAll(() => bench.close());

const allow = (scopeId: string) =>
  bench.call('PUT', '/guardrails/rules', { scope: 'space', scopeId, effect: 'pr_publish', action: 'allow' });

test('a person publishes one review: comments on lines of the diff, the rest in the body', async () => {
  const opened = await of.opening();
  const add = (more: Json) => bench.ok('POST', `/${opened.id}/findings`, finding(more), bench.author);
  await add({ priority: 'P0', confidence: 0.9, body: 'On a line.' });
  await add({ anchor: { path: 'src/a.ts', startLine: 3, endLine: 5 }, body: 'On a range.' });
  await add({ anchor: { path: 'src/a.ts', startLine: 8, side: 'LEFT' }, body: 'On what was.' });
  await add({ anchor: { path: 'big.ts', startLine: 20 }, body: 'On no line of the diff.' });
  await add({ anchor: null, body: 'On the whole.' });
  const outcome = await of.finalized(opened.id);
  expect(outcome.publication).toMatchObject({
    state: 'asked',
    reason: expect.stringContaining('pr_publish'),
  });
  expect((await of.publish(opened.id, bench.author)).body.code).toBe('people_only');
  const { status, body } = await of.publish(opened.id);
  expect([status, body.state, body.requestedBy]).toEqual([200, 'published', bench.open.person]);
  expect(of.madeOf()).toHaveLength(1);
  const [made] = of.madeOf();
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
  expect(body.providerUrl).toContain(`pull/${of.number()}#pullrequestreview-`);
  const events = await bench.open.events(bench.workspaceId, 'review.published');
  expect(events.filter(({ subject }) => subject === opened.id)).toMatchObject([{ actor: bench.open.person }]);
});

test('no finding hides what stands after it, and none calls people', async () => {
  const opened = await of.opening();
  const add = (more: Json) => bench.ok('POST', `/${opened.id}/findings`, finding(more), bench.author);
  await add({ anchor: null, body: 'Nothing to see. <!-- @everyone' });
  await add({ anchor: { path: 'x`\n\n<!-- y', startLine: 1 }, body: '```\nopen' });
  await add({ body: 'Look, @acme/owners' });
  await add({ anchor: null, priority: 'P0', body: 'The one that matters.' });
  const note = `<details>\n${'long '.repeat(390)}`;
  const axes = ['security', 'correctness', 'tests', 'performance', 'docs'];
  const results = axes.map((axis) => ({ axis, result: 'pass', note }));
  await bench.ok('POST', `/${opened.id}/axes`, { results });
  const summary = `<!--${'\n'.repeat(19_900)}@ada`;
  await bench.ok('POST', `/${opened.id}/finalize`, { summary }, bench.author);
  expect((await of.publish(opened.id)).body.state).toBe('published');
  const [{ body, comments }] = of.madeOf() as [Json];
  const [marker, ...lines] = body.replace("`x'\uFFFD\uFFFD<!-- y:1`", 'its path as code').split('\n');
  expect(marker).toStartWith('<!-- control-center');
  expect(lines.join('\n')).not.toMatch(/<[a-z!]|@[a-z]|^\s*```/m);
  expect(lines).toContain('**P1 bug** (confidence 0.80) at its path as code');
  expect(body).toContain('> The one that matters.');
  expect(comments[0].body).not.toContain('@acme');
});

test('publishing again, by many at once and after a new start, publishes once', async () => {
  const { opened } = await of.reviewed();
  const all = await Promise.all(Array.from({ length: 6 }, () => of.publish(opened.id)));
  expect(new Set(all.map(({ body }) => body.state))).toEqual(new Set(['published']));
  expect((await of.finalized(opened.id)).repeated).toBe(true);
  await bench.restart();
  expect((await of.publish(opened.id)).body.state).toBe('published');
  expect(of.madeOf()).toHaveLength(1);
});

test('by default it waits for a person: approved it is published, refused it is not and says why', async () => {
  const { opened, outcome } = await of.reviewed();
  const approval = await of.approvalOf(opened.id);
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
  expect(of.madeOf()).toEqual([]);
  expect((await of.decide(approval.id, { decision: 'approved', digest: approval.digest })).status).toBe(200);
  const { publication } = await of.inState(opened.id, 'published');
  expect(publication).toMatchObject({ requestedBy: bench.open.person, verdictId: outcome.verdict.id });
  expect(of.madeOf()).toHaveLength(1);

  const other = await of.reviewed();
  const asked = await of.approvalOf(other.opened.id);
  await of.decide(asked.id, { decision: 'refused', reason: 'Say it in person.' });
  const refused = await of.inState(other.opened.id, 'refused');
  expect(refused.publication.reason).toBe('Say it in person.');
  expect(of.madeOf()).toEqual([]);
  expect((await of.publish(other.opened.id)).body.state).toBe('published');
});

test('a decision that came while nothing ran is followed at the next start', async () => {
  const { opened } = await of.reviewed();
  const { id, digest } = await of.approvalOf(opened.id);
  bench.github.fail({ path: /./, times: 999, fault: { kind: 'status', status: 503 } });
  await of.decide(id, { decision: 'approved', digest });
  await bench.until(opened.id, ({ publication }) => publication.fault?.code === 'provider_unavailable');
  bench.github.mend();
  await bench.restart();
  await of.inState(opened.id, 'published');
  expect(of.madeOf()).toHaveLength(1);
});

test('a rule publishes at once, another denies, and one granted with an approval holds from then on', async () => {
  const opened = await of.opening();
  expect((await allow(opened.spaceId)).status).toBe(200);
  await bench.ok('POST', `/${opened.id}/findings`, finding({ priority: 'P2' }), bench.author);
  const outcome = await of.finalized(opened.id);
  expect(outcome.publication.state).toBe('pending');
  await of.inState(opened.id, 'published');
  expect(of.madeOf()).toMatchObject([{ event: 'COMMENT' }]);

  const denied = await of.opening();
  const rule = { scope: 'workspace', effect: 'pr_publish', action: 'deny' };
  const { body: set } = await bench.call('PUT', '/guardrails/rules', rule);
  expect((await of.finalized(denied.id)).publication).toMatchObject({
    ...{ state: 'denied', reason: expect.stringContaining(set.id) },
  });
  const { body: space } = await bench.call('GET', `/spaces/${denied.spaceId}`);
  const { body: messages } = await bench.call('GET', `/conversations/${space.mainConversationId}/messages`);
  expect(messages.items[0].body).toContain('does not go to the pull request');
  await bench.call('DELETE', `/guardrails/rules/${set.id}`);
  expect(of.madeOf()).toEqual([]);

  const granted = await of.opening();
  await of.finalized(granted.id);
  const asked = await of.approvalOf(granted.id);
  await of.decide(asked.id, { decision: 'approved', grant: 'rule', digest: asked.digest });
  await of.inState(granted.id, 'published');
  await bench.ok('POST', `/${granted.id}/findings`, finding(), bench.author);
  expect((await of.finalized(granted.id)).publication.state).toBe('pending');
  await of.inState(granted.id, 'published');
  expect(of.madeOf()).toHaveLength(2);
});

test('the dial of the space holds: proposing only publishes nothing, acting freely asks nobody', async () => {
  const first = await of.opening();
  await bench.call('PATCH', `/spaces/${first.spaceId}`, { autonomy: 'proposeOnly' });
  expect((await of.finalized(first.id)).publication.state).toBe('denied');
  const second = await of.opening();
  await bench.call('PATCH', `/spaces/${second.spaceId}`, { autonomy: 'actFreely' });
  expect((await of.finalized(second.id)).publication.state).toBe('pending');
  await of.inState(second.id, 'published');
});

test('a verdict for a head that is gone is not published, and its question is taken back', async () => {
  const { opened } = await of.reviewed();
  const approval = await of.approvalOf(opened.id);
  bench.github.push(of.number(), { files: { 'src/a.ts': `top\n${NEW}`, 'big.ts': BIG } });
  const { status, body } = await of.publish(opened.id);
  expect([status, body.code]).toEqual([409, 'stale_revision']);
  expect(of.madeOf()).toEqual([]);
  expect((await bench.ok('GET', `/${opened.id}`)).publication.state).toBe('stale');
  expect((await bench.call('GET', `/approvals/${approval.id}`)).body.status).toBe('superseded');
  const next = await of.finalized(opened.id);
  expect(next.repeated).toBe(false);
  expect((await of.publish(opened.id)).body.state).toBe('published');
  expect(of.madeOf()).toMatchObject([{ commit_id: next.verdict.headSha, comments: [{ line: 4 }] }]);

  const other = await of.reviewed();
  const asked = await of.approvalOf(other.opened.id);
  bench.github.push(of.number(), { files: { 'src/a.ts': 'all new\n', 'big.ts': BIG } });
  await bench.ok('POST', `/${other.opened.id}/refresh`);
  await of.inState(other.opened.id, 'stale');
  expect((await of.decide(asked.id, { decision: 'approved' })).body.code).toBe('already_decided');
  expect(of.madeOf()).toEqual([]);
});

test('a newer verdict takes the place of one that still waits', async () => {
  const { opened, outcome } = await of.reviewed();
  const first = await of.approvalOf(opened.id);
  await bench.ok('POST', `/${opened.id}/findings`, finding({ body: 'One more.' }), bench.author);
  const second = await of.finalized(opened.id);
  const next = await bench.until(opened.id, (view) => view.publication.approvalId !== null);
  expect(next.publication.verdictId).toBe(second.verdict.id);
  const { body } = await bench.call('GET', `/approvals/${first.id}`);
  expect(body.status).toBe('superseded');
  await of.decide(next.publication.approvalId, { decision: 'approved' });
  await of.inState(opened.id, 'published');
  expect(of.madeOf()).toHaveLength(1);
  expect(of.madeOf()[0]!.body).toContain(second.verdict.id);
  expect(of.madeOf()[0]!.body).not.toContain(outcome.verdict.id);
});
