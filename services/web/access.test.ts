import { afterAll, beforeAll, expect, test } from 'bun:test';
import { SignInStage } from './sign-in-stage.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
/** How soon whoever is let in no more is let go: the look of sockets and of streams, and a moment. */
const SOON_MS = 6_000;

const stage = new SignInStage();
beforeAll(() => stage.start());
afterAll(() => stage.end());

type Headers = Record<string, string>;

async function tokenOf(headers: Headers): Promise<Headers> {
  const { body } = await stage.call('POST', '/api/tokens', headers, { name: 'laptop' });
  return { authorization: `Bearer ${body.token}` };
}

/** The code with which a socket of theirs is closed. */
async function socketOf(headers: Headers): Promise<{ closed: Promise<number> }> {
  const socket = new WebSocket(`${stage.url.replace('http', 'ws')}/api/live`, { headers });
  const closed = new Promise<number>((done) => {
    socket.onclose = ({ code }) => done(code);
  });
  await new Promise((done) => {
    socket.onopen = done;
  });
  return { closed };
}

/** Resolves when the event stream of theirs ends. */
async function streamOf(headers: Headers, ws: string): Promise<{ ended: Promise<string> }> {
  const response = await fetch(`${stage.url}/api/workspaces/${ws}/events?follow=1`, { headers });
  expect(response.status).toBe(200);
  return { ended: response.text().then(() => 'ended') };
}

test('whoever is removed, or signs out, is let go everywhere: by cookie and by token, in sockets and in streams', async () => {
  const ws = (await stage.asOwner('POST', '/api/workspaces', { name: 'Shop' })).body.id;
  const memberId = await stage.member('viewer');
  const cookie = stage.fromHere(await stage.signedIn({ memberId }));
  const token = await tokenOf(cookie);
  const out = stage.fromHere(await stage.signedIn());
  const sockets = [await socketOf(cookie), await socketOf(token), await socketOf(out)];
  const streams = [await streamOf(cookie, ws), await streamOf(token, ws)];
  const removedAt = performance.now();
  expect((await stage.asOwner('DELETE', `/api/members/${memberId}`)).status).toBe(200);
  await stage.call('DELETE', '/api/session', out);
  for (const headers of [cookie, token, out]) expect((await stage.me(headers)).code).toBe('unauthenticated');
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4401, 4401, 4401]);
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(['ended', 'ended']);
  expect(performance.now() - removedAt).toBeLessThan(SOON_MS);
}, 15_000);

test('a browser knows which session is its own, and can end the others', async () => {
  const memberId = await stage.member('operator');
  const code = await stage.newCode({ memberId });
  const { headers } = await stage.signIn(code, { 'user-agent': FIREFOX });
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  const [here, there] = [stage.fromHere({ cookie }), stage.fromHere(await stage.signedIn({ memberId }))];
  // What a browser says of its session by itself is not heard.
  const own = { ...here, 'x-control-center-session': 'ses_other' };
  const { items } = (await stage.call('GET', '/api/sessions', own)).body;
  const current = items.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  expect([items.length, current]).toEqual([
    2,
    [expect.objectContaining({ browser: 'Firefox', system: 'Linux' })],
  ]);
  expect((await stage.call('DELETE', '/api/sessions', own)).body).toEqual({ ended: 1 });
  expect([(await stage.me(here)).member.id, (await stage.me(there)).code]).toEqual([
    memberId,
    'unauthenticated',
  ]);
});

test('a viewer makes and ends their own ways in, and nobody else’s', async () => {
  const memberId = await stage.member('viewer');
  const viewer = stage.fromHere(await stage.signedIn({ memberId }));
  const token = await tokenOf(viewer);
  expect((await stage.call('POST', '/api/workspaces', token, { name: 'X' })).body.code).toBe('forbidden');
  const owner = (await stage.asOwner('GET', '/api/me')).body.member.id;
  const refused = [
    ['DELETE', `/api/members/${owner}`],
    ['DELETE', `/api/sessions?memberId=${owner}`],
    ['PATCH', `/api/members/${memberId}`],
    ['DELETE', '/api/workspaces/ws_1'],
  ] as const;
  for (const [method, path] of refused)
    expect([path, (await stage.call(method, path, viewer, { name: 'X' })).body.code]).toEqual([
      path,
      'forbidden',
    ]);
  const [{ id }] = (await stage.call('GET', '/api/tokens', viewer)).body.items;
  expect((await stage.call('DELETE', `/api/tokens/${id}`, viewer)).status).toBe(200);
  expect((await stage.me(token)).code).toBe('unauthenticated');
  expect((await stage.call('DELETE', `/api/members/${memberId}`, viewer)).status).toBe(200);
  expect((await stage.me(viewer)).code).toBe('unauthenticated');
});
