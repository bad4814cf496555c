import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type FakeGitHub, startFakeGitHub } from './server.ts';

let github: FakeGitHub;
beforeAll(() => {
  github = startFakeGitHub('a-token');
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`);
  const head = lines.with(14, 'changed\n').join('');
  github.open({ number: 1, base: { 'a.txt': lines.join('') }, head: { 'a.txt': head } });
});
afterAll(() => github.stop());

async function send(method: string, path: string, body?: unknown, token = 'a-token') {
  const headers = { authorization: `Bearer ${token}` };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`${github.url}/repos/acme/shop${path}`, init);
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

test('only the token opens it, and every request is recorded', async () => {
  expect((await send('GET', '/pulls/1', undefined, 'other')).status).toBe(401);
  expect((await send('GET', '/pulls/1')).body).toMatchObject({ number: 1, changed_files: 1 });
  expect((await send('GET', '/pulls/2')).status).toBe(404);
  expect(github.requests.map(({ status }) => status)).toEqual([401, 200, 404]);
});

test('it takes a review only as the API would', async () => {
  const { headSha } = github.pulls.get(1)!;
  const review = (more: object) =>
    send('POST', '/pulls/1/reviews', { commit_id: headSha, event: 'COMMENT', body: 'x', ...more });
  const on = (comment: object) =>
    review({ comments: [{ path: 'a.txt', body: 'x', side: 'RIGHT', ...comment }] });
  const refused: [string, Promise<{ status: number }>][] = [
    ['a commit of no pull request', review({ commit_id: 'f'.repeat(40) })],
    ['no body', review({ body: ' ' })],
    ['a body too long', review({ body: 'x'.repeat(65_537) })],
    ['an event there is not', review({ event: 'SHOUT' })],
    ['a line outside the diff', on({ line: 1 })],
    ['a line of the other side', on({ line: 18, side: 'LEFT', start_line: 19 })],
    ['a start in another hunk', on({ line: 15, start_line: 2 })],
    ['a start after the end', on({ line: 15, start_line: 16 })],
    ['a file outside the diff', on({ line: 15, path: 'b.txt' })],
    ['a comment without words', on({ line: 15, body: '' })],
  ];
  for (const [what, answer] of refused) expect([what, (await answer).status]).toEqual([what, 422]);
  expect(github.pulls.get(1)!.reviews).toEqual([]);
  expect((await on({ line: 15, start_line: 13 })).status).toBe(200);
  expect((await on({ line: 15, side: 'LEFT' })).status).toBe(200);
  expect((await send('GET', '/pulls/1/reviews')).body).toMatchObject([{ commit_id: headSha }, {}]);
});

test('lists come in pages that name the next one', async () => {
  github.push(1, { files: { 'a.txt': 'x\n' } });
  github.push(1, { files: { 'a.txt': 'y\n' } });
  const first = await send('GET', '/pulls/1/commits?per_page=2');
  expect([first.body.length, first.headers.get('link')?.includes('page=2>; rel="next"')]).toEqual([2, true]);
  const last = await send('GET', '/pulls/1/commits?per_page=2&page=2');
  expect([last.body.length, last.headers.get('link')]).toEqual([1, null]);
});

test('a comparison is from what both grew from, and names its files with the first page alone', async () => {
  const { baseSha, headSha } = github.pulls.get(1)!;
  const rewritten = github.forcePush(1, { files: { 'a.txt': 'z\n' } });
  const { body } = await send('GET', `/compare/${headSha}...${rewritten}`);
  expect(body).toMatchObject({
    status: 'diverged',
    merge_base_commit: { sha: baseSha },
    files: [{ filename: 'a.txt' }],
  });
  expect((await send('GET', `/compare/${headSha}...${rewritten}?page=2`)).body.files).toBeUndefined();
});
