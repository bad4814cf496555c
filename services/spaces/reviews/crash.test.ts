import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeGitHub, startFakeGitHub } from '../../../test/github/server.ts';
import { openSpaces, temporaryDirectory } from '../fixture.ts';

const directory = temporaryDirectory();
const providers: FakeGitHub[] = [];
afterAll(async () => {
  for (const github of providers) await github.stop();
  directory.remove();
});

interface Stage {
  dataDir: string;
  github: FakeGitHub;
}

function stage(name: string): Stage {
  const dataDir = join(directory.path, name);
  mkdirSync(dataDir);
  const github = startFakeGitHub();
  providers.push(github);
  github.open({ number: 7, base: { 'a.ts': 'one\n' }, head: { 'a.ts': 'two\n' } });
  return { dataDir, github };
}

/** @returns the signal that ended it, or null */
async function child({ dataDir, github }: Stage, crashAt: string, pointLog = '-'): Promise<string | null> {
  const script = join(import.meta.dir, 'crash.child.ts');
  const words = [dataDir, github.url, github.token, crashAt, pointLog];
  const running = Bun.spawn([process.execPath, script, ...words], { stderr: 'pipe' });
  const complaint = await new Response(running.stderr).text();
  const status = await running.exited;
  if (status !== 0 && running.signalCode === null) throw new Error(`the process failed: ${complaint}`);
  return running.signalCode === null ? null : String(running.signalCode);
}

async function outcome({ dataDir, github }: Stage) {
  const open = await openSpaces({ dataDir });
  const [ws] = (await open.call('GET', '/workspaces')).body.items;
  const at = `/workspaces/${ws.id}`;
  const { items } = (await open.call('GET', `${at}/reviews`)).body;
  const view = (await open.call('GET', `${at}/reviews/${items[0].id}`)).body;
  const { body: space } = await open.call('GET', `${at}/spaces/${view.spaceId}`);
  const { body: messages } = await open.call(
    'GET',
    `${at}/conversations/${space.mainConversationId}/messages`,
  );
  const { body: spaces } = await open.call('GET', `${at}/spaces`);
  const { body: approvals } = await open.call('GET', `${at}/approvals`);
  const events = (await open.events(ws.id)).filter(({ type }) => type !== 'review.publicationChanged');
  await open.close();
  return {
    reviews: items.length,
    findings: view.findings.map(({ status }: { status: string }) => status),
    dropped: view.dropped,
    verdict: [view.verdict.verdict, view.publication.state, view.stale],
    spaces: spaces.items.length,
    messages: messages.items.map(({ kind }: { kind: string }) => kind),
    approvals: approvals.items.map(({ status }: { status: string }) => status),
    events: events.map(({ type }) => type).filter((type) => /^(review|finding)\./.test(type)),
    published: github.pulls.get(7)?.reviews.map(({ event, comments }) => [event, comments.length]),
  };
}

test('killed before or after any commit and around the call to the provider, a review is published once', async () => {
  const calm = stage('calm');
  const log = join(directory.path, 'points');
  expect(await child(calm, '-', log)).toBeNull();
  const expected = await outcome(calm);
  expect(expected).toEqual({
    ...{ reviews: 1, findings: ['consensusReady'], dropped: 1, verdict: ['block', 'published', false] },
    ...{ spaces: 1, messages: ['review'], approvals: ['approved'], published: [['REQUEST_CHANGES', 1]] },
    events: [
      ...['review.opened', 'finding.added', 'finding.dropped', 'finding.confirmed'],
      ...['review.finalized', 'review.published'],
    ],
  });
  const points = [...new Set(readFileSync(log, 'utf8').trim().split('\n'))].filter((point) =>
    /^(review|finding|publication|approval|space)\./.test(point),
  );
  expect(points).toContain('publication.send:after');
  expect(points.length).toBeGreaterThanOrEqual(16);
  for (const point of points) {
    const killed = stage(point.replace(':', '-'));
    expect([point, await child(killed, `${point}#1`)]).toEqual([point, 'SIGKILL']);
    expect([point, await child(killed, '-')]).toEqual([point, null]);
    expect({ point, ...(await outcome(killed)) }).toEqual({ point, ...expected });
  }
}, 120_000);
