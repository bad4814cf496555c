import { expect, test } from 'bun:test';
import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import { newId } from '../../../services/kit/id.ts';
import { createRelevance } from './relevance.ts';

const [space, conversation, message, agent] = [newId('spc'), newId('cnv'), newId('msg'), newId('agt')];

function relevance() {
  const target = { workspaceId: 'ws_1', spaceId: space, conversationId: conversation, messageId: message };
  return createRelevance({ ...target, orchestrationId: null });
}

function event(subject: string, data: Record<string, unknown> = {}): WorkspaceEvent {
  return { seq: 1, at: 1, actor: `agent:${agent}`, type: 't', subject, data };
}

test('what an event of the job is about belongs to the job from then on', () => {
  const isRelevant = relevance();
  const [run, orchestration, pipeline] = [newId('run'), newId('orc'), newId('ppr')];
  expect(isRelevant(event(run))).toBe(false);
  expect(isRelevant(event(run, { trigger: { kind: 'userMessage', id: message } }))).toBe(true);
  expect(isRelevant(event(run))).toBe(true);
  expect(isRelevant(event(orchestration, { runId: run }))).toBe(true);
  expect(isRelevant(event(pipeline, { orchestrationId: orchestration }))).toBe(true);
});

test('agents are shared by jobs and make nothing relevant', () => {
  const isRelevant = relevance();
  expect(isRelevant(event(message, { wake: [agent] }))).toBe(true);
  expect(isRelevant(event(newId('run'), { agentId: agent }))).toBe(false);
});
