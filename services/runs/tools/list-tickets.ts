import * as z from 'zod';
import { TICKET_STATUSES } from '../peers/spaces-port.ts';
import { namesOf } from '../prompt/names.ts';
import { defineTool } from './tool.ts';

export const listTickets = defineTool({
  name: 'list_tickets',
  description: 'Lists tickets of the workspace, all of them or those of a parent, a project or a status.',
  input: z.strictObject({
    parentId: z.string().min(1).max(80).optional(),
    projectId: z.string().min(1).max(80).optional(),
    status: z.enum(TICKET_STATUSES).optional(),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: null,
  run: async ({ spaces, workspaceId }, filter) => {
    const tickets = await spaces.tickets(workspaceId, filter);
    const nameOf = await namesOf(spaces, workspaceId);
    const lines = tickets.map(
      (ticket) =>
        `${ticket.id} #${ticket.number} [${ticket.status}] ${ticket.title} (${ticket.assignee === null ? 'nobody' : nameOf(ticket.assignee)})`,
    );
    return lines.join('\n') || '(no tickets)';
  },
});
