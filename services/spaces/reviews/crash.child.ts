import { createPointHook } from '../../commit-points.ts';
import type { Actor } from '../../kit/actor.ts';
import { openSpaces, readyWorkspace } from '../fixture.ts';
import { createGitHub } from './github/github.ts';

// A process that takes one pull request from its opening to its published review, each step under a key, so that it can be
// killed anywhere and run again: `bun crash.child.ts <data directory> <api url> <token> <point#n or -> <point log or ->`.

const [dataDir = '', apiUrl = '', token = '', crashAt = '-', pointLog = '-'] = process.argv.slice(2);
const set = (text: string) => (text === '-' ? null : text);
const onPoint = createPointHook(set(crashAt), set(pointLog));
const pullRequests = createGitHub({ apiUrl, token, settleMs: 100 });
const open = await openSpaces({ dataDir, pullRequests, ...(onPoint && { onPoint }) });
await review();
await open.close();

async function review(): Promise<void> {
  const ws = `/workspaces/${await readyWorkspace(open, 'Crash', 'ws')}`;
  const roster = (await open.call('GET', `${ws}/agents`)).body.items as { id: string; name: string }[];
  const [author, peer] = ['engineer', 'qa'].map((name) => roster.find((agent) => agent.name === name)?.id);
  const url = `${apiUrl}/acme/shop/pull/7`;
  const opened = await open.call('POST', `${ws}/reviews`, { url, agents: [author, peer], key: 'open' });
  const at = `${ws}/reviews/${opened.body.id}`;
  const as = (agentId: string | undefined): Actor => `agent:${agentId}`;
  const note = { type: 'bug', priority: 'P0', confidence: 0.9, body: 'Wrong.' };
  const anchor = { path: 'a.ts', startLine: 1 };
  const { body } = await open.call('POST', `${at}/findings`, { ...note, anchor, key: 'one' }, as(author));
  await open.call('POST', `${at}/findings`, { ...note, priority: 'P7', key: 'two' }, as(author));
  await open.call('POST', `${at}/findings/${body.finding.id}/confirm`, {}, as(peer));
  await open.call('POST', `${at}/finalize`, {}, as(author));
  await decide(ws, at);
  await until(ws, at, ({ state }) => state === 'published');
}

async function decide(ws: string, at: string): Promise<void> {
  const { approvalId } = await until(ws, at, (publication) => publication.approvalId !== null);
  await open.call('POST', `${ws}/approvals/${approvalId}/decision`, { decision: 'approved' });
}

interface Way {
  state: string;
  approvalId: string | null;
}

async function until(ws: string, at: string, isWanted: (publication: Way) => boolean): Promise<Way> {
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    const { publication } = (await open.call('GET', at)).body;
    if (isWanted(publication)) return publication;
    if (Date.now() > giveUpAt) throw new Error(`still ${JSON.stringify(publication)}`);
    await open.deps.databases.wakes.wait(ws.split('/')[2] ?? '', 100);
  }
}
