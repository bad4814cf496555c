import { createPointHook } from '../commit-points.ts';
import { type OpenSpaces, openSpaces, readyWorkspace } from './fixture.ts';

// A process that goes through the service's first hours under keys, so that it can be killed anywhere and run again:
// `bun crash.child.ts <data directory> <point#n or -> <point log or ->`.

const [dataDir = '', crashAt = '-', pointLog = '-'] = process.argv.slice(2);
const set = (text: string) => (text === '-' ? null : text);
const onPoint = createPointHook(set(crashAt), set(pointLog));
const open = await openSpaces({ dataDir, ...(onPoint && { onPoint }) });
await live(open);
await open.close();

async function live({ call }: OpenSpaces): Promise<void> {
  const ws = await readyWorkspace(open, 'Crash', 'ws');
  const at = `/workspaces/${ws}`;
  const roster = (await call('GET', `${at}/agents`)).body.items;
  const renamed = roster.find(({ name }: { name: string }) => name === 'anna');
  const ann = renamed ?? (await call('POST', `${at}/agents`, { name: 'ann', title: 'Ann', key: 'ann' })).body;
  await call('PATCH', `${at}/agents/${ann.id}`, { version: ann.version, name: 'anna', persona: 'Calm.' });
  const room = { name: 'Room', agents: [ann.id], key: 'room' };
  const { id, mainConversationId } = (await call('POST', `${at}/spaces`, room)).body;
  await call('PATCH', `${at}/spaces/${id}`, { mode: 'plan' });
  await call('POST', `${at}/conversations/${mainConversationId}/messages`, {
    body: '@anna hello',
    key: 'hello',
  });
  const ticket = (
    await call('POST', `${at}/tickets`, { title: 'T', assignee: `agent:${ann.id}`, key: 'ticket' })
  ).body;
  await call('PATCH', `${at}/tickets/${ticket.id}`, { status: 'open' });
  const wanted = {
    kind: 'question',
    requester: `agent:${ann.id}`,
    subject: 'Q',
    arguments: {},
    key: 'question',
  };
  const approval = (await call('POST', `${at}/approvals`, wanted, 'service:runs')).body;
  await call('POST', `${at}/approvals/${approval.id}/decision`, { decision: 'approved', answer: 'yes' });
}
