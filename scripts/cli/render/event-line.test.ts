import { expect, test } from 'bun:test';
import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import { noPaint } from '../paint.ts';
import { eventLine } from './event-line.ts';

const nameOf = (id: string) => (id === 'agt_1' ? 'ceo' : undefined);

function line(type: string, data: Record<string, unknown>, actor: WorkspaceEvent['actor'] = 'agent:agt_1') {
  return eventLine({ seq: 1, at: 1, actor, type, subject: 'run_1', data }, nameOf, noPaint);
}

test('an event is told with the name of who did it', () => {
  expect(line('run.answered', { text: 'I will\nlook.' })).toBe('ceo I will look.');
  expect(line('run.answered', { text: 'Hello.' }, 'agent:agt_2')).toBe('Hello.');
  expect(line('step.failed', { key: 'ticket/a', error: 'broke' }, 'service:orchestration')).toBe(
    'step ticket/a failed: broke',
  );
});

test('a tool is told when it has finished, an error as one', () => {
  expect(line('run.tool', { name: 'read_file', state: 'started' })).toBe(null);
  expect(line('run.tool', { name: 'read_file', state: 'finished', summary: 'a.ts' })).toBe(
    'ceo read_file: a.ts',
  );
  expect(line('run.tool', { name: 'x', state: 'finished', isError: true, summary: 'no' })).toBe(
    'ceo x: no (error)',
  );
});

test('a run of unknown cost says so', () => {
  expect(line('run.ended', { status: 'completed', costMicros: null })).toBe(
    'ceo run completed, cost unknown',
  );
  expect(line('run.ended', { status: 'failed', costMicros: 0, summary: 'Refused.' })).toBe(
    'ceo run failed, cost $0: Refused.',
  );
});

test('a pause names the trouble where there is any, and a warning its budget', () => {
  expect(line('run.paused', { errorFamily: null, summary: 'By a person.' })).toBe('ceo paused: By a person.');
  expect(line('run.paused', { errorFamily: 'budget' })).toBe('ceo paused (budget)');
  const warned = { target: 'agent:agt_1', agentName: 'ceo' };
  expect(line('budget.warned', warned, 'service:runs')).toBe('80 % of the budget of the agent ceo is used');
  expect(line('budget.warned', { target: 'run:run_1' }, 'service:runs')).toBe(
    '80 % of the budget of the run is used',
  );
  expect(line('budget.warned', {}, 'service:runs')).toBe('80 % of the budget is used');
});

test('what people need not know, and answers without text, are not told', () => {
  expect(line('ticket.created', {})).toBe(null);
  expect(line('run.answered', { text: '' })).toBe(null);
});

test('a decision is told, and an action that was refused because nobody was there', () => {
  expect(line('approval.requested', { status: 'pending', subject: 'Run git push' })).toBe(null);
  expect(line('approval.requested', { status: 'unattended', subject: 'Run git push' })).toBe(
    'ceo refused, nobody is there to ask: Run git push',
  );
  expect(line('approval.decided', { status: 'refused', subject: 'Run git push' }, 'person:mem_1')).toBe(
    'refused: Run git push',
  );
});

test('a part that is approved is told with what is put off, and gates as the decisions that they are', () => {
  const person = 'person:mem_1';
  expect(line('orchestration.approved', { revision: 1 }, person)).toBe('proposal approved');
  expect(line('orchestration.approved', { deferred: ['b', 'c'] }, person)).toBe(
    'proposal approved, but for b, c',
  );
  expect(line('orchestration.deferredApproved', { tickets: ['b'] }, person)).toBe('b approved too');
  expect(line('orchestration.leftOut', { tickets: ['c'] }, person)).toBe('c left out');
  const gate = (type: string) => line(type, { key: 'gate/b' }, 'service:orchestration');
  expect(gate('step.waiting')).toBe('b is deferred: it waits for approval');
  expect([gate('step.started'), gate('step.done')]).toEqual([null, null]);
  expect(line('step.waiting', { key: 'ticket/b' }, 'service:orchestration')).toBe(null);
});
