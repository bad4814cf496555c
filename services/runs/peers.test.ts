import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../kit/actor.ts';
import { hasFaultCode } from '../kit/fault.ts';
import { createPeer } from '../kit/peer.ts';
import { type OpenSpaces, openSpaces, readyWorkspace } from '../spaces/fixture.ts';
import type { SpacesApp } from '../spaces/service.ts';
import type { NewApproval } from './peers/spaces-port.ts';
import { spacesPort } from './peers.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'runs-peers-'));
let open: OpenSpaces;
afterEach(async () => {
  await open.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('the calls that runs make of spaces do what the port promises', async () => {
  open = await openSpaces({ dataDir });
  const port = spacesPort(createPeer<SpacesApp>({ kind: 'embedded', app: open.spaces.app }));
  const ws = await readyWorkspace(open, 'Lab');
  const agents = await port.agents(ws);
  const agent = agents[0]!;
  const actor: Actor = `agent:${agent.id}`;
  expect(await port.agent(ws, agent.id)).toMatchObject({ name: agent.name, skills: [], modelId: null });
  const made = await open.call('POST', `/workspaces/${ws}/spaces`, { name: 'Room', agents: [agent.id] });
  const space = await port.space(ws, made.body.id);
  const conversationId = made.body.mainConversationId as string;
  expect(await port.conversation(ws, conversationId)).toMatchObject({
    kind: 'main',
    space: { id: space.id },
  });

  for (const n of [1, 2, 3]) {
    await port.postMessage(actor, ws, conversationId, {
      kind: 'text',
      body: `m${n}`,
      data: {},
      key: `k${n}`,
    });
  }
  await port.postMessage(actor, ws, conversationId, { kind: 'text', body: 'm3', data: {}, key: 'k3' });
  const recent = await port.recentMessages(ws, conversationId, 2);
  expect(recent.map(({ body, author }) => [body, author])).toEqual([
    ['m2', actor],
    ['m3', actor],
  ]);

  const [first] = recent;
  expect(await port.message(ws, first?.id as string)).toMatchObject({ body: 'm2', author: actor });

  const bytes = Buffer.of(0, 255, 10);
  const file = { name: 'a.bin', base64: bytes.toString('base64') };
  const sent = await open.call('POST', `/workspaces/${ws}/conversations/${conversationId}/attachments`, file);
  const { id: attachmentId } = sent.body;
  const unsent = { id: attachmentId, conversationId, mediaType: 'application/octet-stream', messageId: null };
  expect(await port.attachment(ws, attachmentId)).toMatchObject(unsent);
  expect(Buffer.from(await port.attachmentBytes(ws, attachmentId))).toEqual(bytes);
  for (const call of [port.attachment(ws, 'att_none'), port.attachmentBytes(ws, 'att_none')])
    expect(hasFaultCode(await call.catch((error: unknown) => error), 'not_found')).toBe(true);

  const ticket = await port.createTicket(actor, ws, {
    ...{ title: 'T', description: '', spaceId: space.id, key: 't', priority: undefined },
  });
  await port.commentTicket(actor, ws, ticket.id, { body: 'seen', key: 'c' });
  await port.updateTicket(actor, ws, ticket.id, { status: 'open' });
  expect(await port.ticket(ws, ticket.id)).toMatchObject({ status: 'open', comments: [{ body: 'seen' }] });
  expect((await port.tickets(ws, { status: 'open' })).map(({ id }) => id)).toEqual([ticket.id]);

  const asked = {
    ...{ kind: 'question' as const, requester: actor, subject: 'Why?', arguments: { question: 'Why?' } },
    ...{ runId: 'run_1', rootRunId: 'run_1', spaceId: space.id, conversationId, key: 'q' },
  } satisfies NewApproval;
  const approval = await port.requestApproval(actor, ws, asked);
  expect((await port.requestApproval(actor, ws, asked)).id).toBe(approval.id);
  await port.supersedeOfRun(ws, 'run_1');
  expect(await port.approval(ws, approval.id)).toMatchObject({ status: 'superseded' });

  const nowhere = await port.guardrails(ws, { agentId: null, spaceId: null });
  expect(nowhere).toEqual({ mode: 'chat', autonomy: 'actWithApproval', whenNobody: 'refuse', rules: [] });
  const rule = { scope: 'agent', scopeId: agent.id, effect: 'git_push', action: 'deny' };
  await open.call('PUT', `/workspaces/${ws}/guardrails/rules`, rule);
  const there = { agentId: agent.id, spaceId: space.id };
  const plan = { mode: 'plan', autonomy: 'actFreely', whenNobody: 'wait' };
  await open.call('PATCH', `/workspaces/${ws}/spaces/${space.id}`, plan);
  expect(await port.guardrails(ws, there)).toMatchObject({ ...plan, rules: [rule] });
  const push = { ...asked, kind: 'action' as const, arguments: { tool: 'push', asked: ['git_push'] } };
  const left = await port.requestApproval(actor, ws, { ...push, whenNobody: 'refuse', key: 'a' });
  expect(left).toMatchObject({ status: 'unattended', arguments: push.arguments });
  const held = await port.requestApproval(actor, ws, { ...push, key: 'b' });
  expect(held.status).toBe('pending');
  const other = port.requestApproval(actor, ws, { ...push, arguments: { tool: 'fetch' }, key: 'b' });
  expect(hasFaultCode(await other.catch((error: unknown) => error), 'conflict')).toBe(true);
  await port.supersede(ws, held.id);
  await port.supersede(ws, held.id);
  const card = { kind: 'approval' as const, body: 'Push?', data: { approvalId: held.id }, key: 'card' };
  expect((await port.postMessage(actor, ws, conversationId, card)).id).toStartWith('msg_');
  const exit = { runId: 'run_1', rootRunId: 'run_1', conversationId, summary: 'Let me work' };
  const gate = await port.leavePlanMode(actor, ws, space.id, exit);
  expect(gate).toMatchObject({ state: 'pending', reason: null });
  await port.supersedeOfRun(ws, 'run_1');
  expect(await port.approval(ws, gate.approvalId ?? '')).toMatchObject({ status: 'pending' });
  await port.supersedeOfRun(ws, 'run_1', { planExit: true });
  expect(await port.approval(ws, gate.approvalId ?? '')).toMatchObject({ status: 'superseded' });
  const missing = await port.agent('ws_other', agent.id).catch((error: unknown) => error);
  expect(hasFaultCode(missing, 'not_found')).toBe(true);
});
