import { expect, test } from 'bun:test';
import { createProxy } from './gateway.ts';

test('a request is passed on to the configured service alone, whatever host its path names', async () => {
  const seen: string[] = [];
  const listen = (name: string) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        seen.push(name);
        return Response.json({ authorization: request.headers.get('authorization') });
      },
    });
  const [peer, stranger] = [listen('peer'), listen('stranger')];
  const proxy = createProxy(peer.url.origin, 'the-token-of-the-services');
  try {
    for (const path of [`//${stranger.url.host}/x/runs`, `/\\${stranger.url.host}/x/runs`, '/api/x?y=1']) {
      const answer = await proxy(new Request(`http://127.0.0.1${path}`));
      expect(await answer.json()).toEqual({ authorization: 'Bearer the-token-of-the-services' });
    }
    expect(seen).toEqual(['peer', 'peer', 'peer']);
  } finally {
    await Promise.all([peer.stop(true), stranger.stop(true)]);
  }
});
