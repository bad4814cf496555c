import { afterAll, beforeAll, expect, test } from 'bun:test';
import { knownReview } from './known-review.ts';
import { createTestReview, finding, type Json, type TestReview } from './test-review.ts';
import { insertVerdict } from './verdict-store.ts';

let bench: TestReview;
beforeAll(async () => {
  bench = await createTestReview();
});
afterAll(() => bench.close());

let number = 100;
/** A review of a pull request of its own, with a passing check. */
async function review(): Promise<Json> {
  number += 1;
  bench.github.open({
    number,
    base: { 'src/a.ts': 'one\ntwo\nthree\n' },
    head: { 'src/a.ts': 'one\ntwo\nTHREE\n' },
  });
  bench.github.check(number, 'unit', 'success');
  const agents = [bench.author, bench.peer].map((actor) => actor.slice(6));
  return bench.ok('POST', '', { url: `${bench.github.url}/acme/shop/pull/${number}`, agents });
}
const finalize = (id: string, body: Json = {}, actor = bench.author) =>
  bench.call('POST', `/reviews/${id}/finalize`, body, actor);
const messagesOf = async ({ spaceId }: Json): Promise<Json[]> => {
  const { body: space } = await bench.call('GET', `/spaces/${spaceId}`);
  const { body } = await bench.call('GET', `/conversations/${space.mainConversationId}/messages`);
  return body.items;
};

test('the verdict follows from findings and gated axes, and names its head', async () => {
  const opened = await review();
  const { body: none } = await finalize(opened.id);
  expect(none).toMatchObject({ repeated: false, verdict: { verdict: 'ship', base: 'ship', confidence: 1 } });
  expect(none.verdict).toMatchObject({
    headSha: opened.headSha,
    finalizedBy: bench.author,
    findings: [],
    dropped: 0,
  });
  await bench.ok(
    'POST',
    `/${opened.id}/findings`,
    finding({ priority: 'P0', confidence: 0.69 }),
    bench.author,
  );
  expect((await finalize(opened.id)).body.verdict).toMatchObject({ verdict: 'hold', confidence: 1 });
  await bench.ok(
    'POST',
    `/${opened.id}/findings`,
    finding({ priority: 'P0', confidence: 0.7 }),
    bench.author,
  );
  await bench.ok('POST', `/${opened.id}/findings`, finding({ priority: 'P9' }), bench.author);
  const { body: block } = await finalize(opened.id);
  expect(block.verdict).toMatchObject({ verdict: 'block', base: 'block', dropped: 1 });
  expect(block.verdict.findings).toHaveLength(2);
});

test('it is told to the space in one message with a card, and finalizing again tells nothing', async () => {
  const opened = await review();
  const added = await bench.ok('POST', `/${opened.id}/findings`, finding(), bench.author);
  const at = { headSha: opened.headSha.slice(0, 10), summary: 'Looks sound otherwise.' };
  const all = await Promise.all([1, 2, 3, 4].map(() => finalize(opened.id, at)));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(all.filter(({ body }) => !body.repeated)).toHaveLength(1);
  const [message, ...others] = await messagesOf(opened);
  expect(others).toEqual([]);
  expect(message).toMatchObject({
    ...{ kind: 'review', author: bench.author, id: all[0]!.body.verdict.messageId },
    data: {
      ...{
        reviewId: opened.id,
        verdictId: all[0]!.body.verdict.id,
        headSha: opened.headSha,
        verdict: 'hold',
      },
      findings: [{ id: added.finding.id, priority: 'P1', place: { startLine: 3 } }],
    },
  });
  for (const text of [
    'Verdict: hold',
    opened.headSha,
    'Looks sound otherwise.',
    'This breaks.',
    'src/a.ts:3',
  ]) {
    expect(message.body).toContain(text);
  }
  await bench.ok('POST', `/${opened.id}/findings/${added.finding.id}/confirm`, {}, bench.peer);
  expect((await finalize(opened.id)).body.repeated).toBe(true);
  expect(await messagesOf(opened)).toHaveLength(1);
  const posted = await bench.open.events(bench.workspaceId, 'message.posted');
  expect(posted.filter(({ subject }) => subject === message.id)).toMatchObject([{ data: { wake: [] } }]);
});

test('of many who judge at the same moment one gives the verdict', async () => {
  const opened = await review();
  const judging = Promise.withResolvers<void>();
  bench.github.fail({ path: /check-runs$/, times: 6, fault: { kind: 'hold', until: judging.promise } });
  const all = Array.from({ length: 6 }, () => finalize(opened.id));
  await bench.github.held(6);
  judging.resolve();
  const answers = await Promise.all(all);
  expect(answers.filter(({ body }) => body.repeated === false)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.verdict.id)).size).toBe(1);
  expect(await messagesOf(opened)).toHaveLength(1);
  expect((await bench.ok('GET', `/${opened.id}/verdicts`)).items).toHaveLength(1);
});

test('a verdict is written only over the review that it was given for', async () => {
  const opened = await review();
  const database = await bench.open.deps.databases.open(bench.workspaceId);
  const before = await knownReview(database, opened.id);
  const { verdict, publication } = (await finalize(opened.id)).body;
  const [message] = await messagesOf(opened);
  const late: Json = {
    verdict: { ...verdict, id: 'vrd_late' },
    publication: { ...publication, id: 'pub_late', verdictId: 'vrd_late' },
    message: { ...message, id: 'msg_late' },
    decision: {},
  };
  const told = async () => (await bench.open.events(bench.workspaceId, 'review.finalized')).length;
  const events = await told();
  expect(await insertVerdict(database, before, late)).toBe(false);
  expect(await bench.ok('GET', `/${opened.id}`)).toMatchObject({ verdictId: verdict.id });
  expect(await messagesOf(opened)).toHaveLength(1);
  expect((await bench.ok('GET', `/${opened.id}/verdicts`)).items).toHaveLength(1);
  expect(await told()).toBe(events);
});

test('a push makes the verdict stale, and no verdict is given for a head that nobody looked at', async () => {
  const opened = await review();
  const first = await finalize(opened.id);
  expect(first.body.repeated).toBe(false);
  const headSha = bench.github.push(number, { files: { 'src/a.ts': 'zero\none\ntwo\nTHREE\n' } });
  const late = await finalize(opened.id);
  expect(late.body).toMatchObject({ code: 'stale_revision', errors: { headSha } });
  const view = await bench.ok('GET', `/${opened.id}`);
  expect(view).toMatchObject({ stale: true, headSha, verdict: { headSha: opened.headSha } });
  expect((await bench.ok('GET', `?spaceId=${opened.spaceId}`)).items[0]).toMatchObject({
    stale: true,
    verdict: 'ship',
  });
  expect((await finalize(opened.id, { headSha: opened.headSha })).body.code).toBe('stale_revision');
  // The checks of the new head have not run.
  const next = await finalize(opened.id, { headSha });
  expect(next.body).toMatchObject({ repeated: false, verdict: { verdict: 'hold', base: 'ship', headSha } });
  expect((await bench.ok('GET', `/${opened.id}`)).stale).toBe(false);
  const { items } = await bench.ok('GET', `/${opened.id}/verdicts`);
  expect(items.map((verdict: Json) => verdict.headSha)).toEqual([headSha, opened.headSha]);
});

test('checks that end later change the verdict of the same head', async () => {
  const opened = await review();
  bench.github.check(number, 'e2e', null);
  expect((await finalize(opened.id)).body.verdict).toMatchObject({ verdict: 'hold' });
  bench.github.check(number, 'e2e', 'failure');
  const failed = await finalize(opened.id);
  expect(failed.body).toMatchObject({ repeated: false, verdict: { verdict: 'block', base: 'ship' } });
  expect(failed.body.verdict.axes.find((axis: Json) => axis.axis === 'tests').note).toContain('e2e');
  bench.github.check(number, 'e2e', 'success');
  expect((await finalize(opened.id)).body.verdict.verdict).toBe('ship');
});

test("a workspace's own axes hold at the head they were given for, and only people and services give them", async () => {
  const opened = await review();
  const give = (body: Json, actor = bench.open.person) =>
    bench.call('POST', `/reviews/${opened.id}/axes`, body, actor);
  const own = [
    { axis: 'licences', gated: true },
    { axis: 'style', gated: false },
  ];
  expect((await bench.call('PUT', '/reviews/axes', { axes: own }, bench.author)).body.code).toBe(
    'people_only',
  );
  expect(await bench.ok('GET', '/axes')).toMatchObject({
    axes: [{}, {}, { axis: 'tests', gated: true }, {}, {}],
  });
  expect(await bench.ok('PUT', '/axes', { axes: own })).toEqual({ axes: own });
  expect((await finalize(opened.id)).body.verdict).toMatchObject({ verdict: 'hold', base: 'ship' });
  const pass = { results: [{ axis: 'licences', result: 'pass', note: 'All known.' }] };
  expect((await give(pass, bench.author)).body.code).toBe('forbidden');
  expect((await give({ results: [{ axis: 'speed', result: 'pass' }] })).body.errors.faults[0].path).toBe(
    'results[0].axis',
  );
  const { body } = await give({ ...pass, headSha: opened.headSha }, 'service:ci' as never);
  expect(body.axes[0]).toMatchObject({
    axis: 'licences',
    result: 'pass',
    by: 'service:ci',
    note: 'All known.',
  });
  expect((await finalize(opened.id)).body.verdict.verdict).toBe('ship');
  await give({ results: [{ axis: 'style', result: 'fail' }] });
  expect((await finalize(opened.id)).body.verdict.verdict).toBe('ship');
  await give({ results: [{ axis: 'licences', result: 'fail' }] });
  expect((await finalize(opened.id)).body.verdict.verdict).toBe('block');
  const headSha = bench.github.push(number, { files: { 'src/a.ts': 'new\n' } });
  expect((await give({ ...pass, headSha: opened.headSha })).status).toBe(200);
  await bench.ok('POST', `/${opened.id}/refresh`);
  expect((await give({ ...pass, headSha: opened.headSha })).body.code).toBe('stale_revision');
  const view = await bench.ok('GET', `/${opened.id}`);
  expect([view.headSha, view.axes[0].result, view.prospect.verdict]).toEqual([
    headSha,
    'unavailable',
    'hold',
  ]);
});

test('strangers finalize nothing; without the provider there is no verdict', async () => {
  const opened = await review();
  expect((await finalize(opened.id, {}, bench.stranger)).body.code).toBe('forbidden');
  bench.github.fail({
    path: new RegExp(`/pulls/${number}$`),
    times: 99,
    fault: { kind: 'cut', when: 'before' },
  });
  expect((await finalize(opened.id)).body).toMatchObject({ code: 'provider_unavailable', retryable: true });
  expect(await messagesOf(opened)).toEqual([]);
  bench.github.mend();
  expect((await finalize(opened.id)).status).toBe(200);
});
