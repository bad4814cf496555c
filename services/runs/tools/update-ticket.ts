import * as z from 'zod';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '../peers/spaces-port.ts';
import { namesOf } from '../prompt/names.ts';
import { assigneeOf, startedText } from './assignee.ts';
import { defineTool } from './tool.ts';

export const updateTicket = defineTool({
  name: 'update_ticket',
  description:
    'Changes a ticket: title, description, status, priority, assignee or labels. Only legal moves of the status are taken. A new assignee is started on it at once, in a run of its own, and whoever had it before is stopped; you are told of the result when the ticket ends.',
  input: z.strictObject({
    ticketId: z.string().min(1).max(80),
    title: z.string().trim().min(1).max(200).optional(),
    description: z.string().max(100_000).optional(),
    status: z.enum(TICKET_STATUSES).optional(),
    priority: z.enum(TICKET_PRIORITIES).optional(),
    assignee: z.string().min(1).max(80).optional().describe('Name of the agent that is to begin with it now'),
    labels: z.array(z.string().min(1).max(60)).max(20).optional(),
  }),
  tier: 'write',
  effects: [],
  keyed: false,
  needs: null,
  run: async ({ spaces, workspaceId, actor, delegator }, { ticketId, assignee, ...change }) => {
    // Before the change: nothing may fail that tells of it.
    const nameOf = await namesOf(spaces, workspaceId);
    const ticket = await spaces.updateTicket(actor, workspaceId, ticketId, {
      ...change,
      delegator: await delegator(),
      ...(assignee === undefined ? {} : { assignee: await assigneeOf(spaces, workspaceId, assignee) }),
    });
    const holder = ticket.assignee === null ? 'nobody' : nameOf(ticket.assignee);
    return `Ticket #${ticket.number} is now ${ticket.status}, assigned to ${holder}.${assignee === undefined ? '' : startedText(ticket, actor)}`;
  },
});
