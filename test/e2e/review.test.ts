import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeGitHub, startFakeGitHub } from '../github/server.ts';
import type { MessagesRequest } from '../model/messages-request.ts';
import type { ScriptedTurn } from '../model/script.ts';
import {
  call,
  createWorld,
  founded,
  type Json,
  onWord,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  until,
  type World,
} from './world.ts';

const WEBHOOK_SECRET = 'a secret between the two of us';
const OLD = 'one\ntwo\nthree\nfour\n';
const NEW = 'one\ntwo\nTHREE\nfour\n';

let github: FakeGitHub;
let world: World;
let room: { ws: string; id: string; agents: Record<string, string> };

beforeAll(async () => {
  github = startFakeGitHub();
  world = await createWorld(script(), {
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: github.token,
    GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
    CONTROL_CENTER_LOG: 'debug',
  });
  room = await founded(world, 'shop');
});
afterAll(async () => {
  await world.end();
  await github.stop();
});

/** What the reviewers do: each reads first, and goes on with what it read. Later words come first: they see earlier ones. */
function script() {
  const read = { tools: [toolCall('read_review', {})] };
  const lastText = ({ messages }: MessagesRequest) => JSON.stringify(messages.at(-1));
  const withHead =
    (name: string, more: (text: string) => Json) =>
    (request: MessagesRequest): ScriptedTurn => {
      const text = lastText(request);
      return { tools: [toolCall(name, { head: /Head: ([0-9a-f]{40})/.exec(text)?.[1], ...more(text) })] };
    };
  const conclude = [
    read,
    withHead('finalize_review', () => ({ summary: 'As I see it.' })),
    { text: 'Concluded.' },
  ];
  const wrong = { type: 'bug', priority: 'P0', confidence: 0.9, body: 'Nobody should shout.' };
  const confirm = (request: MessagesRequest) => ({
    tools: [toolCall('confirm_review_node', { findingId: /fnd_[a-z0-9]+/.exec(lastText(request))?.[0] })],
  });
  const delegate = (word: string, agent: string) => ({
    tools: [toolCall('run_subagent', { task: `${word} for me`, agent })],
  });
  const looking = [read, withHead('add_review_node', () => wrong), { text: 'Looked.' }];
  return scriptOf(
    onWord('nod-along', read, confirm, { text: 'Nodded.' }),
    onWord('look-yourself', ...looking),
    onWord('confirm-by-other', ...looking.slice(0, 2), delegate('nod-along', 'qa'), { text: 'Asked.' }),
    onWord('find-by-other', delegate('look-yourself', 'qa'), read, confirm, { text: 'Confirmed.' }),
    onWord('conclude-again', ...conclude),
    onWord('conclude-first', ...conclude),
    onWord('verify-it', read, confirm, { text: 'It holds.' }),
    onWord(
      'inspect-it',
      read,
      { tools: [toolCall('read_review', { path: 'src/a.ts' }), ...read.tools] },
      withHead('add_review_node', () => ({ ...wrong, anchor: { path: 'src/a.ts', startLine: 3 } })),
      { tools: [toolCall('add_review_node', { ...wrong, priority: 'urgent', head: '0000000' })] },
      { text: 'Looked.' },
    ),
    onWord('just-chat', { text: 'Hello.' }),
  );
}

function deliver(number: number, action: string): Promise<{ status: number; body: Json }> {
  const text = JSON.stringify({ action, number, repository: { full_name: 'acme/shop' } });
  const signature = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(text).digest('hex')}`;
  return call(world.server.url, 'POST', `/hooks/github/${room.id}`, text, {
    ...{ 'content-type': 'application/json', 'x-github-event': 'pull_request' },
    'x-hub-signature-256': signature,
  });
}

async function opened(number: number): Promise<{ id: string; space: Json }> {
  github.open({ number, title: 'Shout', base: { 'src/a.ts': OLD }, head: { 'src/a.ts': NEW } });
  github.check(number, 'unit', 'success');
  const { engineer, qa } = room.agents;
  const url = `${github.url}/acme/shop/pull/${number}`;
  const { id, spaceId } = await world.ok('POST', `${room.ws}/reviews`, { url, agents: [engineer, qa] });
  return { id, space: await world.ok('GET', `${room.ws}/spaces/${spaceId}`) };
}
const review = (id: string) => world.ok('GET', `${room.ws}/reviews/${id}`);
const madeOf = (number: number) => github.pulls.get(number)!.reviews;

test('found, confirmed, judged, published, pushed to, stale, moved along, judged and published again, each once', async () => {
  const { ws, agents } = room;
  const { id, space } = await opened(7);
  const inspected = await said(world, ws, space, '@engineer inspect-it please');
  expect(inspected).toMatchObject({ status: 'completed', mode: 'review' });
  expect(await review(id)).toMatchObject({
    findings: [
      { author: `agent:${agents.engineer}`, status: 'open', place: { startLine: 3, state: 'current' } },
    ],
    ...{ dropped: 1, verdict: null },
  });
  expect(await said(world, ws, space, '@qa verify-it please')).toMatchObject({ status: 'completed' });
  expect((await review(id)).findings).toMatchObject([
    { status: 'consensusReady', confirmedBy: [`agent:${agents.qa}`] },
  ]);
  await said(world, ws, space, '@engineer conclude-first please');
  const judged = await review(id);
  expect(judged).toMatchObject({
    stale: false,
    verdict: { verdict: 'block', finalizedBy: `agent:${agents.engineer}` },
  });
  expect(judged.publication.state).toBe('asked');
  expect((await world.ok('POST', `${ws}/reviews/${id}/publish`, {})).state).toBe('published');
  expect(madeOf(7)).toMatchObject([
    { event: 'REQUEST_CHANGES', commit_id: judged.headSha, comments: [{ path: 'src/a.ts', line: 3 }] },
  ]);

  const headSha = github.push(7, { files: { 'src/a.ts': `top\n${NEW}` } });
  github.check(7, 'unit', 'success');
  expect((await deliver(7, 'synchronize')).body).toEqual({ state: 'looked', reviewId: id, headSha });
  expect(await review(id)).toMatchObject({
    ...{ stale: true, headSha, verdict: { headSha: judged.headSha } },
    findings: [{ place: { startLine: 4, state: 'moved', sha: headSha }, anchor: { startLine: 3 } }],
  });
  await said(world, ws, space, '@engineer conclude-again please');
  expect(await review(id)).toMatchObject({ stale: false, verdict: { verdict: 'block', headSha } });
  for (const _ of [1, 2]) {
    expect((await world.ok('POST', `${ws}/reviews/${id}/publish`, {})).state).toBe('published');
  }
  expect(madeOf(7)).toMatchObject([{}, { commit_id: headSha, comments: [{ line: 4 }] }]);
  const { items } = await world.ok(
    'GET',
    `${ws}/conversations/${space.mainConversationId}/messages?limit=500`,
  );
  expect(items.filter(({ kind }: Json) => kind === 'review')).toHaveLength(2);
}, 60_000);

test.each(['confirm-by-other', 'find-by-other'])(
  'a finding and its confirmation of one tree of runs: %s',
  async (word) => {
    const { ws } = room;
    const { id, space } = await opened(word === 'find-by-other' ? 10 : 11);
    const asked = await said(world, ws, space, `@engineer ${word} please`);
    await until(
      () => world.ok('GET', `${ws}/runs/${asked.id}`),
      ({ status }) => status === 'completed',
    );
    const { items } = await world.ok('GET', `${ws}/runs?conversationId=${space.mainConversationId}`);
    expect(items).toHaveLength(2);
    const told = await Promise.all(items.map((run: Json) => toolResults(world, ws, run.id)));
    expect(JSON.stringify(told)).toContain('nor through a sub-agent');
    expect((await review(id)).findings).toMatchObject([{ status: 'open', confirmedBy: [] }]);
  },
);

test('the tools of reviews are offered where there is one, and named in no other prompt', async () => {
  const { ws, agents } = room;
  const inReview = world.model.requests.filter(({ body }) =>
    JSON.stringify(body.messages).includes('inspect-it'),
  );
  const names = ['read_review', 'add_review_node', 'confirm_review_node', 'finalize_review'];
  const offered = inReview[0]!.body.tools!.map(({ name }) => name);
  expect(offered).toEqual(expect.arrayContaining(names));
  for (const changing of ['write_file', 'run_command', 'git_commit']) expect(offered).not.toContain(changing);
  const system = JSON.stringify(inReview[0]!.body.system);
  for (const name of names) expect(system).toContain(name);
  expect(system).not.toContain('Shout');
  const seen = world.model.requests.length;
  await said(world, ws, await spaceWith(world, ws, agents.engineer!), 'just-chat');
  const elsewhere = JSON.stringify(
    world.model.requests.slice(seen).map(({ body }) => [body.tools, body.system]),
  );
  expect(elsewhere).toContain('read_ticket');
  for (const name of names) expect(elsewhere).not.toContain(name);
});

test('killed right after the provider took it, the server finds it there at its next start', async () => {
  const { ws } = room;
  const { id } = await opened(8);
  await world.ok('POST', `${ws}/reviews/${id}/finalize`, {});
  await world.restart({ CONTROL_CENTER_CRASH_AT: 'publication.send:after#1' });
  await world.api('POST', `${ws}/reviews/${id}/publish`, {}).catch(() => undefined);
  expect(await world.server.exited).not.toBe(0);
  expect(madeOf(8)).toHaveLength(1);
  await world.restart();
  const view = await until(
    () => review(id),
    ({ publication }) => publication.state === 'published',
  );
  expect(view.publication.providerId).toBe(String(madeOf(8)[0]!.id));
  expect((await world.ok('POST', `${ws}/reviews/${id}/publish`, {})).state).toBe('published');
  expect(madeOf(8)).toHaveLength(1);
}, 60_000);

test('the token and the secret stand in no prompt, answer, log, event or file', async () => {
  const { ws } = room;
  github.fail({ times: 99, fault: { kind: 'status', status: 401 } });
  const refused = await world.api('POST', `${ws}/reviews`, { url: `${github.url}/acme/shop/pull/9` });
  expect(refused.body.code).toBe('provider_token_refused');
  github.mend();
  const { items: events } = await world.ok('GET', `${ws}/events`);
  const files = readdirSync(world.stage.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  const { items } = await world.ok('GET', `${ws}/reviews`);
  const views = await Promise.all(items.map(({ id }: Json) => review(id)));
  const places = { refused, events, views, files, log: world.server.stderr(), model: world.model.requests };
  expect(github.requests.length).toBeGreaterThan(20);
  for (const [name, value] of Object.entries(places)) {
    const text = JSON.stringify(value);
    for (const secret of [github.token, WEBHOOK_SECRET]) {
      expect([name, text.includes(secret)]).toEqual([name, false]);
    }
  }
});
