import { createPointHook } from '../commit-points.ts';
import type { Actor } from '../kit/actor.ts';
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
  const file = { name: 'hello.txt', base64: btoa('hello'), key: 'file' };
  const attached = await call('POST', `${at}/conversations/${mainConversationId}/attachments`, file);
  await call('POST', `${at}/conversations/${mainConversationId}/messages`, {
    body: '@anna hello',
    attachments: [attached.body.id],
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
  await decideActions(open, at, `agent:${ann.id}`, { id, mainConversationId });
  await leavePlan(open, at, `agent:${ann.id}`);
}

interface Room {
  id: string;
  mainConversationId: string;
}

/** An action with its card becomes a rule, one is refused for want of a person and allowed, one ends with its run. */
async function decideActions({ call }: OpenSpaces, at: string, requester: Actor, room: Room): Promise<void> {
  const rule = { scope: 'workspace', effect: 'secret_access', action: 'deny' };
  await call('PUT', `${at}/guardrails/rules`, rule);
  const ask = async (key: string, more: object = {}) => {
    const place = { spaceId: room.id, conversationId: room.mainConversationId };
    const args = { tool: 'run_command', input: { command: key }, asked: ['git_push'] };
    const wanted = { kind: 'action', requester, subject: key, arguments: args, ...place, key, ...more };
    return (await call('POST', `${at}/approvals`, wanted, 'service:runs')).body;
  };
  const allow = (id: string, grant: string) =>
    call('POST', `${at}/approvals/${id}/decision`, { decision: 'approved', grant });
  const pushed = await ask('push');
  await call('POST', `${at}/conversations/${room.mainConversationId}/messages`, {
    ...{ kind: 'approval', body: 'May I push?', data: { approvalId: pushed.id }, key: 'card' },
  });
  await allow(pushed.id, 'rule');
  await allow((await ask('alone', { whenNobody: 'refuse' })).id, 'once');
  await ask('alone', { whenNobody: 'refuse' });
  await ask('over', { runId: 'run_over' });
  await call('POST', `${at}/approvals/supersede-of-run`, { runId: 'run_over' }, 'service:runs');
}

async function leavePlan({ call }: OpenSpaces, at: string, agent: Actor): Promise<void> {
  const room = { name: 'Plan room', mode: 'plan', key: 'plan-room' };
  const { id, mainConversationId } = (await call('POST', `${at}/spaces`, room)).body;
  const input = { runId: 'run_plan', conversationId: mainConversationId, summary: 'Go.' };
  const leave = async () => (await call('POST', `${at}/spaces/${id}/plan-exit`, input, agent)).body;
  const { state, approvalId } = await leave();
  if (state !== 'pending') return;
  await call('POST', `${at}/approvals/${approvalId}/decision`, { decision: 'approved' });
  await leave();
}
