import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { assessmentOf, PRIORITIES } from './finding-schema.ts';
import { insertFinding } from './finding-store.ts';
import { createTestReview, finding, type Json, type TestReview } from './test-review.ts';

let bench: TestReview;
let id: string;
beforeAll(async () => {
  bench = await createTestReview();
  id = (await bench.review()).id;
});
afterAll(() => bench.close());

const add = (body: Json, actor = bench.author) => bench.call('POST', `/reviews/${id}/findings`, body, actor);
const view = () => bench.ok('GET', `/${id}`);

test('a finding keeps what its author said of it, with or without a place', async () => {
  const { status, body } = await add(finding());
  expect(status).toBe(201);
  const { headSha } = await view();
  expect(body).toMatchObject({
    kind: 'added',
    finding: {
      ...{
        type: 'bug',
        priority: 'P1',
        confidence: 0.8,
        body: 'This breaks.',
        headSha,
        author: bench.author,
      },
      ...{ status: 'open', confirmedBy: [], resolved: null },
      anchor: { path: 'src/a.ts', startLine: 3, endLine: 3, side: 'RIGHT' },
      place: { path: 'src/a.ts', startLine: 3, endLine: 3, side: 'RIGHT', sha: headSha, state: 'current' },
    },
  });
  for (const type of ['bug', 'suggestion', 'recommendation', 'question', 'ticket']) {
    const whole = await add(
      finding({ type, priority: 'P3', confidence: 1, anchor: undefined }),
      bench.open.person,
    );
    expect(whole.body).toMatchObject({
      kind: 'added',
      finding: { type, anchor: null, place: null, confidence: 1 },
    });
  }
  expect((await view()).findings).toHaveLength(6);
});

test('a finding without a valid priority or confidence is dropped, counted and told why; never guessed', async () => {
  const before = await view();
  const wrong: [Json, RegExp][] = [
    [{ priority: undefined }, /priority must be one of P0, P1, P2, P3, not missing/],
    [{ priority: 'p1' }, /not "p1"/],
    [{ priority: 1 }, /not 1/],
    [{ priority: 'P4', confidence: 1.01 }, /P4.*confidence must be a number from 0 to 1, not 1.01/],
    [{ confidence: undefined }, /confidence.*missing/],
    [{ confidence: '0.8' }, /not "0.8"/],
    [{ confidence: -0.1 }, /not -0.1/],
    [{ confidence: null }, /not null/],
  ];
  for (const [i, [more, why]] of wrong.entries()) {
    const { status, body } = await add(finding(more));
    expect([status, body.kind, body.dropped]).toEqual([201, 'dropped', i + 1]);
    expect(body.reasons.join(' ')).toMatch(why);
  }
  const after = await view();
  expect(after.findings).toEqual(before.findings);
  expect(after.dropped).toBe(wrong.length);
  expect(await bench.open.events(bench.workspaceId, 'finding.dropped')).toHaveLength(wrong.length);
});

test('only what is exactly a priority and a confidence is taken for one', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.anything(), fc.constantFrom(...PRIORITIES)),
      fc.anything(),
      (priority, confidence) => {
        const isValid =
          PRIORITIES.some((known) => known === priority) &&
          typeof confidence === 'number' &&
          confidence >= 0 &&
          confidence <= 1;
        const assessment = assessmentOf({ priority, confidence });
        expect(assessment.priority !== null).toBe(isValid);
        if (assessment.priority === null) expect(assessment.reasons.length).toBeGreaterThan(0);
      },
    ),
  );
});

test('the same key gives the same outcome, kept or dropped, also at once', async () => {
  const before = await view();
  const kept = await Promise.all([1, 2, 3].map(() => add(finding({ key: 'k1', priority: 'P2' }))));
  expect(new Set(kept.map(({ body }) => body.finding.id)).size).toBe(1);
  const lost = await Promise.all([1, 2, 3].map(() => add(finding({ key: 'k2', priority: 'high' }))));
  expect(lost.map(({ body }) => body.kind)).toEqual(['dropped', 'dropped', 'dropped']);
  const mended = await add(finding({ key: 'k2' }));
  expect(mended.body.kind).toBe('dropped');
  const after = await view();
  expect(after.dropped).toBe(before.dropped + 1);
  expect(after.findings).toHaveLength(before.findings.length + 1);
});

test('what is wrong in form is refused field by field and not counted', async () => {
  const before = await view();
  for (const [more, path] of [
    [{ type: 'nit' }, 'type'],
    [{ body: '  ' }, 'body'],
    [{ body: 'x'.repeat(20_001) }, 'body'],
    [{ anchor: { path: 'a', startLine: 3, endLine: 2 } }, 'anchor.endLine'],
    [{ anchor: { path: 'a' } }, 'anchor.startLine'],
    [{ headSha: 'main' }, 'headSha'],
  ] as const) {
    const { body } = await add(finding(more));
    expect([body.code, body.errors?.faults?.[0]?.path]).toEqual(['invalid_request', path]);
  }
  expect((await view()).dropped).toBe(before.dropped);
});

test('only agents of the space and people take part, and only about the present head', async () => {
  expect((await add(finding(), bench.stranger)).body.code).toBe('forbidden');
  expect((await add(finding(), 'service:runs')).body.code).toBe('forbidden');
  const stale = await add(finding({ headSha: '0123456' }));
  expect(stale.body).toMatchObject({ code: 'stale_revision', errors: { headSha: (await view()).headSha } });
  const { body } = await add(finding({ headSha: (await view()).headSha.slice(0, 8) }));
  expect(body.kind).toBe('added');
  expect((await bench.call('POST', '/reviews/rev_none/findings', finding())).body.code).toBe('not_found');
});

test('a finding is written only while the review has the head that it is about', async () => {
  const database = await bench.open.deps.databases.open(bench.workspaceId);
  const { body } = await add(finding());
  const { findings, version } = await view();
  const row = { ...body.finding, id: 'fnd_late', priority: 1 as const };
  expect(await insertFinding(database, { ...row, headSha: 'f'.repeat(40) }, null)).toBe(false);
  expect(await view()).toMatchObject({ version, findings: { length: findings.length } });
  expect(await insertFinding(database, row, null)).toBe(true);
  expect(await view()).toMatchObject({ version: version + 1, findings: { length: findings.length + 1 } });
});

test('a peer confirms, never the author; a second peer joins in; each once, also at once', async () => {
  const { body: added } = await add(finding());
  const path = `/reviews/${id}/findings/${added.finding.id}/confirm`;
  const confirm = (actor = bench.peer) => bench.call('POST', path, {}, actor);
  expect((await confirm(bench.author)).body).toMatchObject({ code: 'forbidden' });
  expect((await confirm(bench.stranger)).body.code).toBe('forbidden');
  const both = await Promise.all([confirm(), confirm(bench.open.person), confirm(), confirm()]);
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { findings } = await view();
  const present = findings.find((one: Json) => one.id === added.finding.id);
  expect(present.status).toBe('consensusReady');
  expect(present.confirmedBy.toSorted()).toEqual([bench.peer, bench.open.person].toSorted());
  const events = await bench.open.events(bench.workspaceId, 'finding.confirmed');
  expect(events.filter(({ subject }) => subject === added.finding.id)).toHaveLength(2);
  const mine = await add(finding(), bench.open.person);
  const own = await bench.call('POST', `/reviews/${id}/findings/${mine.body.finding.id}/confirm`, {});
  expect(own.body.code).toBe('forbidden');
  const other = await bench.call('POST', `/reviews/rev_other/findings/${added.finding.id}/confirm`, {});
  expect(other.body.code).toBe('not_found');
});

test('no sub-agent is a peer of those above it, whichever of them made the finding', async () => {
  const { author, peer } = bench;
  const tell = async (onBehalfOf: unknown[], above: unknown[], made = author, told = peer) => {
    const { body } = await add(finding({ onBehalfOf }), made);
    const path = `/reviews/${id}/findings/${body.finding.id}/confirm`;
    return (await bench.call('POST', path, { onBehalfOf: above }, told)).status;
  };
  expect(await tell([], [author])).toBe(403);
  expect(await tell([peer], [])).toBe(403);
  expect(await tell([bench.stranger], [bench.stranger])).toBe(200);
  expect(await tell([], ['service:reviews'])).toBe(400);
});

test('a person resolves a finding with a reason, once; agents do not', async () => {
  const { body: added } = await add(finding({ priority: 'P0', confidence: 1 }));
  expect((await view()).prospect.verdict).toBe('block');
  const path = `/reviews/${id}/findings/${added.finding.id}/resolve`;
  expect((await bench.call('POST', path, { reason: 'fine' }, bench.peer)).body.code).toBe('people_only');
  expect((await bench.call('POST', path, { reason: ' ' })).body.code).toBe('invalid_request');
  const first = await bench.call('POST', path, { reason: 'It is handled above.' });
  expect(first.body.resolved).toMatchObject({ by: bench.open.person, reason: 'It is handled above.' });
  const again = await bench.call('POST', path, { reason: 'Another reason.' });
  expect(again.body.resolved).toEqual(first.body.resolved);
  const present = await view();
  expect(present.prospect.verdict).toBe('hold');
  expect(present.findings.some((one: Json) => one.id === added.finding.id)).toBe(true);
});

test('a review has room for a thousand findings, and says when it is full', async () => {
  bench.github.open({ number: 8, base: { a: 'a\n' }, head: { a: 'b\n' } });
  const full = await bench.ok('POST', '', { url: `${bench.github.url}/acme/shop/pull/8` });
  const database = await bench.open.deps.databases.open(bench.workspaceId);
  const rows = Array.from({ length: 1_000 }, (_, i) => ({
    sql: `INSERT INTO reviewDropped (id, reviewId, author, reasons, createdAt) VALUES (?, ?, ?, '[]', 0)`,
    args: [`drp_${i}`, full.id, bench.author],
  }));
  await database.write('finding.drop', rows);
  const { body } = await bench.call('POST', `/reviews/${full.id}/findings`, finding());
  expect(body).toMatchObject({ code: 'too_large', retryable: false });
});
