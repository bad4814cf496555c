import { afterEach, expect, test } from 'bun:test';
import type { ReviewView } from '../../services/spaces/reviews/review-view.ts';
import { type FakeServer, type FakeState, LEADER, startFakeServer } from './testing/fake-server.ts';
import { runCctl } from './testing/run-cctl.ts';

let server: FakeServer | null = null;
afterEach(() => server?.kill());

function start(change: Partial<FakeState> = {}): FakeServer {
  server = startFakeServer(change);
  return server;
}

const run = (fake: FakeServer, ...args: string[]) => runCctl([...args, '--url', fake.url]);

const HEAD = 'a'.repeat(40);
const url = 'https://github.com/acme/shop/pull/7';
const review: ReviewView = {
  ...{ id: 'rev_1', repository: 'acme/shop', number: 7, url, spaceId: 'spc_1', title: 'Take vouchers' },
  ...{ description: '', author: 'mara', state: 'open', draft: false, baseRef: 'main', baseSha: HEAD },
  ...{ mergeBaseSha: HEAD, headRef: 'vouchers', headSha: HEAD, verdictId: null, openedBy: 'person:mem_1' },
  ...{ createdAt: 1, updatedAt: 1, version: 1, files: [], filesComplete: true, commits: [], checks: [] },
  findings: [
    {
      ...{ id: 'fnd_1', reviewId: 'rev_1', type: 'bug', priority: 'P1', confidence: 0.8, headSha: HEAD },
      ...{ body: 'It rounds\ntwice.\u001b[2J', author: 'agent:agt_1', status: 'open', confirmedBy: [] },
      anchor: { path: 'cart.ts', startLine: 3, endLine: 3, side: 'RIGHT' },
      place: { path: 'cart.ts', startLine: 5, endLine: 5, side: 'RIGHT', sha: HEAD, state: 'moved' },
      ...{ resolved: null, onBehalfOf: [], createdAt: 1, version: 1 },
    },
  ],
  dropped: 1,
  axes: [{ axis: 'tests', gated: true, result: 'fail', note: '', by: null }],
  prospect: { verdict: 'block', base: 'hold', confidence: 1 },
  ...{ verdict: null, publication: null, stale: false },
};

test('a pull request is opened with an agent and a clone, and listed with its verdict', async () => {
  const item = { ...review, verdict: 'ship', stale: true };
  const fake = start({ answers: { 'POST /reviews': review, 'GET /reviews': { items: [item], next: null } } });
  const opened = await run(fake, 'review', 'open', url, '--agent', 'ceo', '--repo', '/src/shop');
  expect([opened.exitCode, opened.stdout]).toEqual([
    0,
    'acme/shop#7 is under review: rev_1, in the space spc_1.\n',
  ]);
  expect(fake.state.writes[0]?.body).toMatchObject({
    url,
    agents: [LEADER],
    repositories: [{ name: 'shop', path: '/src/shop' }],
  });
  const listed = await run(fake, 'review');
  expect(listed.stdout).toContain('rev_1  acme/shop#7   open   aaaaaaaaaa  ship (stale)  Take vouchers');
});

test('a review is shown with what its verdict would be, and its findings where they are now', async () => {
  const fake = start({ answers: { 'GET /reviews/rev_1': review, 'POST /reviews/rev_1/refresh': review } });
  for (const verb of ['show', 'refresh']) {
    const { stdout, exitCode } = await run(fake, 'review', verb, 'rev_1');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Verdict  none yet; it would be block, confidence 1.00');
    expect(stdout).toContain('Axes     tests fail (gated)');
    expect(stdout).toContain('1 finding, 1 dropped as not valid');
    expect(stdout).toContain(
      'P1 bug, cart.ts:5 (moved), confidence 0.8, open\n    It rounds\n    twice.␛[2J',
    );
  }
});

test('what is published is the verdict on the head that was read', async () => {
  const publication = { state: 'published', reason: '', providerUrl: `${url}#review-1` };
  const fake = start({
    answers: { 'GET /reviews/rev_1': review, 'POST /reviews/rev_1/publish': publication },
  });
  const ran = await run(fake, 'review', 'publish', 'rev_1');
  expect([ran.exitCode, ran.stdout]).toEqual([0, `Published. See ${url}#review-1\n`]);
  expect(fake.state.writes[0]?.body).toEqual({ headSha: HEAD });
});
