import { expect, test } from 'bun:test';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { timelineOf } from './timeline.ts';

const NOON = new Date(2026, 10, 30, 12).getTime();
const MINUTE = 60_000;

const message = (id: string, at: number, change: Partial<Message> = {}): Message => ({
  ...{ id, conversationId: 'cnv_1', author: 'person:mem_1', kind: 'text', body: id, data: {}, mentions: [] },
  ...{ attachments: [], createdAt: NOON + at, updatedAt: NOON + at, version: 1, ...change },
});
const words = (id: string, at: number, runId: string, kind: Message['kind'] = 'text') =>
  message(id, at, { kind, author: 'agent:agt_1', data: { runId } });
const run = (id: string, endedAt: number | null, change: Partial<TreeNode> = {}) =>
  ({ id, endedAt: endedAt === null ? null : NOON + endedAt, state: 'succeeded', ...change }) as TreeNode;

interface Given {
  messages?: Message[];
  runs?: TreeNode[];
  hasOlder?: boolean;
}
const rows = ({ messages = [], runs = [], hasOlder = false }: Given) =>
  timelineOf({ messages, runs, outgoing: [], approvals: [], hasOlder }).map((item) =>
    item.kind === 'message'
      ? `${item.key}${item.isContinued ? ' continued' : ''}${item.work ? ` by ${item.work.id}` : ''}`
      : item.kind === 'day'
        ? 'day'
        : item.key,
  );

test('days part messages, and one author’s messages of one moment belong together', () => {
  const messages = [
    message('m1', -24 * 60 * MINUTE),
    message('m2', 0),
    message('m3', MINUTE),
    message('m4', 7 * MINUTE),
    message('m5', 8 * MINUTE, { author: 'person:mem_2' }),
    message('m6', 8 * MINUTE, { author: 'person:mem_2', kind: 'notice' }),
  ];
  expect(rows({ messages })).toEqual([
    ...['beginning', 'day', 'm1', 'day', 'm2', 'm3 continued', 'm4', 'm5', 'm6'],
  ]);
});

test('a run that is over is part of its last words; without any it stands where it ended', () => {
  const messages = [
    message('ask', 0),
    words('answer', 10, 'run_1'),
    message('more', 20),
    message('late', 40),
  ];
  const runs = [run('run_1', 10), run('run_2', 30, { state: 'cancelled' })];
  expect(rows({ messages, runs })).toEqual([
    ...['beginning', 'day', 'ask', 'answer by run_1', 'more', 'run_2', 'late'],
  ]);
});

test('the last words of a run are its answer, or else why there is none', () => {
  const messages = [
    words('said', 1, 'run_1'),
    words('empty', 2, 'run_1', 'notice'),
    words('post', 3, 'run_2'),
    words('why', 4, 'run_2', 'notice'),
  ];
  const runs = [run('run_1', 2), run('run_2', 4, { state: 'failed' })];
  expect(rows({ messages, runs })).toEqual([
    'beginning',
    'day',
    'said by run_1',
    'empty',
    'post',
    'why by run_2',
  ]);
});

test('runs that go on stand below all that was said, the waiting ones too', () => {
  const messages = [message('ask', 0), message('steer', 50)];
  const runs = [run('run_1', null, { state: 'waiting' }), run('run_2', null, { state: 'running' })];
  expect(rows({ messages, runs })).toEqual(['beginning', 'day', 'ask', 'steer continued', 'run_1', 'run_2']);
});

test('a run of a page that is not here is not shown at the top of this one', () => {
  const messages = [message('m1', 0)];
  expect(rows({ messages, runs: [run('run_1', -10)], hasOlder: true })).toEqual(['beginning', 'day', 'm1']);
  expect(rows({ messages, runs: [run('run_1', -10)] })).toEqual(['beginning', 'day', 'run_1', 'm1']);
  expect(rows({ runs: [run('run_1', 10)] })).toEqual(['beginning', 'run_1']);
});
