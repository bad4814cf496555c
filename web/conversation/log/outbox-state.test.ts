import { expect, test } from 'bun:test';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { type Outgoing, revived, unshown } from './outbox-state.ts';

const outgoing = (key: string, change: Partial<Outgoing> = {}): Outgoing => ({
  ...{ key, ws: 'ws_1', conversationId: 'cnv_1', body: 'hello', attachments: [], delivery: null, wake: null },
  ...{ createdAt: 1, afterId: 'msg_0', state: 'waiting', messageId: null, problem: null, isUnreached: false },
  ...change,
});
const message = (id: string, body = 'hello', author: Message['author'] = 'person:mem_me'): Message => ({
  ...{ id, conversationId: 'cnv_1', author, kind: 'text', body, data: {}, mentions: [], attachments: [] },
  ...{ createdAt: 1, updatedAt: 1, version: 1 },
});
const keysOf = (items: readonly Outgoing[], messages: readonly Message[]) =>
  unshown(items, messages, 'person:mem_me').map(({ key }) => key);

test('what was sent is shown until its message is, also when that comes before the answer', () => {
  const before = message('msg_0');
  expect(keysOf([outgoing('a')], [before])).toEqual(['a']);
  expect(keysOf([outgoing('a')], [before, message('msg_1')])).toEqual([]);
  expect(keysOf([outgoing('a', { state: 'sent', messageId: 'msg_1' })], [before])).toEqual(['a']);
  expect(keysOf([outgoing('a', { state: 'sent', messageId: 'msg_1' })], [before, message('msg_1')])).toEqual(
    [],
  );
});

test('the same said twice is shown as often as it has not come', () => {
  const twice = [outgoing('a'), outgoing('b')];
  expect(keysOf(twice, [message('msg_0')])).toEqual(['a', 'b']);
  expect(keysOf(twice, [message('msg_0'), message('msg_1')])).toEqual(['b']);
  expect(keysOf(twice, [message('msg_0'), message('msg_1'), message('msg_2')])).toEqual([]);
  const first = outgoing('a', { state: 'sent', messageId: 'msg_1' });
  expect(keysOf([first, outgoing('b')], [message('msg_0'), message('msg_1')])).toEqual(['b']);
});

test('others’ words and earlier ones stand for nothing, and a failure is never taken for said', () => {
  expect(keysOf([outgoing('a')], [message('msg_x'), message('msg_0')])).toEqual(['a']);
  expect(keysOf([outgoing('a')], [message('msg_0'), message('msg_1', 'hello', 'agent:agt_1')])).toEqual([
    'a',
  ]);
  expect(keysOf([outgoing('a', { state: 'failed' })], [message('msg_0'), message('msg_1')])).toEqual(['a']);
});

test('after a reload what may not have arrived is tried again under its key, and rubbish is no message', () => {
  const stored = JSON.parse(JSON.stringify([outgoing('a'), outgoing('b', { state: 'failed' }), 7, null, {}]));
  expect(revived(stored).map(({ key, state }) => [key, state])).toEqual([
    ['a', 'waiting'],
    ['b', 'waiting'],
  ]);
  expect(revived({})).toEqual([]);
});
