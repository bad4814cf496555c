import { expect, test } from 'bun:test';
import type { WholeTicket } from '../peers/spaces-port.ts';
import { assignmentPrompt } from './assignment-prompt.ts';
import { childPrompt } from './child-prompt.ts';

const TICKET: WholeTicket = {
  ...{
    id: 'tkt_1',
    number: 7,
    title: 'Mend the parser',
    description: 'It loses\nthe last line.',
    status: 'open',
  },
  ...{
    priority: 'high',
    assignee: 'agent:agt_1',
    parentId: null,
    spaceId: 'spc_1',
    projectId: null,
    labels: [],
  },
  ...{ comments: [], delegations: [] },
};
const nameOf = (actor: string) => ({ 'agent:agt_1': 'hand', 'agent:agt_2': 'lead' })[actor] ?? actor;
const comment = (id: string, body: string) => ({ id, author: 'agent:agt_1' as const, body, createdAt: 0 });

test('an agent is told the task, who asks, what was said, and what becomes of its answer', () => {
  const ticket = { ...TICKET, comments: [comment('cmt_1', 'See line 4.')] };
  const text = assignmentPrompt({ ticket, nameOf, delegatedBy: 'agent:agt_2', surface: ['update_ticket'] });
  expect(text).toStartWith(
    'lead assigns you ticket #7 (tkt_1): Mend the parser\n\nPriority: high\n\n> It loses\n> the last line.',
  );
  expect(text).toContain('Its comments:\n\nhand:\n> See line 4.');
  expect(text).toContain('set its status with update_ticket');
  expect(text).not.toContain('delegate');
});

test('no tool is named that the agent will not have', () => {
  const text = assignmentPrompt({
    ticket: TICKET,
    nameOf,
    delegatedBy: 'person:mem_1',
    surface: ['read_file'],
  });
  expect(text).not.toContain('_ticket');
  expect(text).toContain('If it cannot be done, say so and why.');
});

test('of very many comments the newest are shown, and how many are left out', () => {
  const comments = Array.from({ length: 30 }, (_, i) => comment(`cmt_${i}`, `${i} ${'x'.repeat(3_000)}`));
  const text = assignmentPrompt({ ticket: { ...TICKET, comments }, nameOf, delegatedBy: 'x', surface: [] });
  expect(text).toMatch(/without the (2[3-5]) oldest/);
  expect(text).toContain('> 29 xxx');
  expect(text).not.toContain('> 0 xxx');
  expect(text.length).toBeLessThan(30_000);
});

const facts = { assignee: 'hand', resultCommentId: 'cmt_1', endedBy: null, open: [] };

test('whoever delegated is told the result, bounded, with where the rest is, and what is still open', () => {
  const ticket = { ...TICKET, status: 'done' as const, comments: [comment('cmt_1', 'r'.repeat(9_000))] };
  const text = childPrompt({ ...facts, ticket, open: [{ number: 8, title: 'Test it' }] });
  expect(text).toStartWith('Ticket #7 (tkt_1), "Mend the parser", which you delegated to hand, is done.');
  expect(text).toContain(`> ${'r'.repeat(8_000)}\n`);
  expect(text).not.toContain('r'.repeat(8_001));
  expect(text).toContain('read_ticket gives the whole');
  expect(text).toContain('#8 Test it');
});

test('a ticket that somebody else ended, and one that was left where it is, are told as that', () => {
  const cancelled = { ...TICKET, status: 'cancelled' as const };
  const text = childPrompt({ ...facts, ticket: cancelled, resultCommentId: null, endedBy: 'person:mem_1' });
  expect(text).toContain('is cancelled. person:mem_1 brought it there.');
  expect(text).toContain('No result was left.');
  expect(childPrompt({ ...facts, ticket: { ...TICKET, status: 'blocked' } })).toContain(
    'is over; its status is blocked',
  );
});
