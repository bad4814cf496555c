import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createTestReview, type TestReview } from './test-review.ts';

let bench: TestReview;
beforeAll(async () => {
  bench = await createTestReview();
});
afterAll(() => bench.close());

test('a pull request opens a space in review mode with everything at hand', async () => {
  const { github } = bench;
  const pull = github.open({
    ...{ number: 1, title: 'Count\u2028each line\u0007 once', body: 'Because it counts twice.' },
    base: { 'a.ts': 'a\nb\n', 'old.ts': 'x\n' },
    head: { 'a.ts': 'a\nB\n', 'new.ts': 'x\n', 'c.ts': 'c' },
    renames: { 'new.ts': 'old.ts' },
  });
  github.check(1, 'unit', 'success');
  github.check(1, 'lint', null);
  const agentIds = [bench.author.slice(6)];
  const repositories = [{ name: 'shop', path: '/repos/shop/' }];
  const url = `${github.url}/acme/shop/pull/1/files`;
  const opened = await bench.ok('POST', '', { url, agents: agentIds, repositories });
  expect(opened).toMatchObject({
    repository: 'acme/shop',
    number: 1,
    headSha: pull.headSha,
    verdictId: null,
  });
  const { body: space } = await bench.call('GET', `/spaces/${opened.spaceId}`);
  expect(space).toMatchObject({
    ...{ mode: 'review', name: 'acme/shop#1 Count each line once', agents: agentIds },
    repositories: [{ name: 'shop', path: '/repos/shop' }],
  });
  const view = await bench.ok('GET', `/${opened.id}`);
  expect(view).toMatchObject({
    ...{
      description: 'Because it counts twice.',
      author: 'ada',
      state: 'open',
      draft: false,
      baseRef: 'main',
    },
    ...{ filesComplete: true, findings: [], dropped: 0, verdict: null, publication: null, stale: false },
    files: [
      { path: 'a.ts', status: 'modified', patch: '@@ -1,2 +1,2 @@\n a\n-b\n+B' },
      { path: 'c.ts', status: 'added', previousPath: null },
      { path: 'new.ts', status: 'renamed', previousPath: 'old.ts', patch: null },
    ],
    commits: [{ sha: pull.headSha, message: 'Count\u2028each line\u0007 once', author: 'ada' }],
    checks: [
      { name: 'unit', status: 'completed', conclusion: 'success' },
      { name: 'lint', status: 'in_progress', conclusion: null },
    ],
  });
  expect(view.axes.find((axis: { axis: string }) => axis.axis === 'tests')).toMatchObject({
    ...{ result: 'partial', gated: true, by: null },
  });
});

test('a pull request is opened once, however often and by however many at once', async () => {
  bench.github.open({ number: 2, base: { a: 'a\n' }, head: { a: 'b\n' } });
  const path = '/acme/shop/pull/2';
  const urls = [
    `${bench.github.url}${path}`,
    `https://github.com${path}`,
    `${bench.github.url}/ACME/Shop/pull/2`,
  ];
  const opened = await Promise.all([...urls, ...urls].map((url) => bench.ok('POST', '', { url })));
  expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
  const again = await bench.ok('POST', '', { url: urls[0], key: 'later' });
  expect(again.id).toBe(opened[0].id);
  const events = await bench.open.events(bench.workspaceId, 'review.opened');
  expect(events.filter(({ subject }) => subject === again.id)).toHaveLength(1);
  const { body: spaces } = await bench.call('GET', '/spaces');
  expect(spaces.items.filter((space: { name: string }) => space.name.startsWith('acme/shop#2'))).toHaveLength(
    1,
  );
});

test('reviews page, are found by their space, and candidates come from the provider', async () => {
  const all = await bench.ok('GET', '');
  expect(all.items.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
  const first = await bench.ok('GET', '?limit=1');
  expect(first.items).toHaveLength(1);
  const rest = await bench.ok('GET', `?limit=1&after=${first.next}`);
  expect([...first.items, ...rest.items]).toEqual(all.items);
  const mine = await bench.ok('GET', `?spaceId=${all.items[1].spaceId}`);
  expect(mine.items.map(({ id }: { id: string }) => id)).toEqual([all.items[1].id]);
  expect((await bench.ok('GET', '?spaceId=spc_none')).items).toEqual([]);
  const candidates = await bench.ok('GET', '/candidates?repository=acme/shop');
  expect(
    candidates.items.map(({ number, title }: { number: number; title: string }) => [number, title]),
  ).toEqual([
    [1, 'Count\u2028each line\u0007 once'],
    [2, 'A change'],
  ]);
});

test('long lists are read to their last page', async () => {
  const names = Array.from({ length: 250 }, (_, i) => `f${String(i).padStart(3, '0')}`);
  const head = Object.fromEntries(names.map((name) => [name, `${name}\n`]));
  const pull = bench.github.open({ number: 3, base: { a: 'a\n' }, head: { a: 'a\n', ...head } });
  const { id } = await bench.ok('POST', '', { url: `${bench.github.url}/acme/shop/pull/3` });
  const view = await bench.ok('GET', `/${id}`);
  expect(view.files.map(({ path }: { path: string }) => path)).toEqual(names);
  expect(view).toMatchObject({ filesComplete: true, headSha: pull.headSha });
});

test('what is no pull request is said, with how to name one; agents open none', async () => {
  const { github } = bench;
  for (const url of [
    ...[
      'nonsense',
      'https://github.com/acme/shop',
      'https://github.com/acme/shop/pull/0',
      'ftp://github.com/a/b/pull/1',
    ],
    ...[
      'https://elsewhere.example/acme/shop/pull/1',
      `${github.url}/../../pull/1`,
      `${github.url}/a/..%2f/pull/1`,
    ],
  ]) {
    const { status, body } = await bench.call('POST', '/reviews', { url });
    expect([url, status, body.code]).toEqual([url, 400, 'invalid_request']);
    expect(body.errors.faults[0].path).toBe('url');
  }
  const url = `${github.url}/acme/shop/pull/99`;
  expect((await bench.call('POST', '/reviews', { url })).body.code).toBe('provider_not_found');
  expect((await bench.call('POST', '/reviews', { url }, bench.author)).body.code).toBe('forbidden');
  expect((await bench.call('GET', '/reviews/candidates?repository=../x')).body.code).toBe('invalid_request');
  const unknown = { url: `${github.url}/acme/shop/pull/1`, agents: ['agt_none'] };
  github.open({ number: 9, base: { a: 'a' }, head: { a: 'b' } });
  const { body } = await bench.call('POST', '/reviews', {
    ...unknown,
    url: `${github.url}/acme/shop/pull/9`,
  });
  expect(body.code).toBe('not_found');
});

test('a pull request that is pushed to while it is read is read again as one', async () => {
  const { github } = bench;
  github.open({ number: 4, base: { a: 'a\n' }, head: { a: 'b\n' } });
  const held = Promise.withResolvers<void>();
  github.fail({ path: /\/pulls\/4\/files$/, fault: { kind: 'hold', until: held.promise } });
  const opening = bench.ok('POST', '', { url: `${github.url}/acme/shop/pull/4` });
  await github.held(1);
  const headSha = github.push(4, { files: { a: 'c\n' } });
  held.resolve();
  const { id } = await opening;
  const view = await bench.ok('GET', `/${id}`);
  expect(view).toMatchObject({ headSha, files: [{ patch: '@@ -1,1 +1,1 @@\n-a\n+c' }] });
  expect(view.commits).toHaveLength(2);
});

test('checks that the token may not read are unknown, not none', async () => {
  const { github } = bench;
  github.open({ number: 5, base: { a: 'a\n' }, head: { a: 'b\n' } });
  const message = 'Resource not accessible by personal access token';
  github.fail({ path: /check-runs$/, times: 2, fault: { kind: 'status', status: 403, message } });
  const { id } = await bench.ok('POST', '', { url: `${github.url}/acme/shop/pull/5` });
  const view = await bench.ok('GET', `/${id}`);
  expect(view.checks).toBeNull();
  expect(view.prospect).toMatchObject({ verdict: 'hold', base: 'ship' });
  expect(view.axes[2]).toMatchObject({
    axis: 'tests',
    result: 'unavailable',
    note: expect.stringContaining('token'),
  });
  github.mend();
  github.check(5, 'unit', 'success');
  expect((await bench.ok('POST', `/${id}/refresh`)).prospect.verdict).toBe('ship');
});

test('who does not take part asks the provider for nothing', async () => {
  const { items } = await bench.ok('GET', '');
  const before = bench.github.requests.length;
  const refresh = await bench.call('POST', `/reviews/${items[0].id}/refresh`, undefined, bench.stranger);
  const list = await bench.call('GET', '/reviews/candidates?repository=acme/shop', undefined, bench.author);
  expect([refresh.body.code, list.body.code]).toEqual(['forbidden', 'forbidden']);
  expect(bench.github.requests).toHaveLength(before);
});
