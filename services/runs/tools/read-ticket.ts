import * as z from 'zod';
import { quotedBody } from '../prompt/conversation-prompt.ts';
import { namesOf } from '../prompt/names.ts';
import { defineTool } from './tool.ts';

export const readTicket = defineTool({
  name: 'read_ticket',
  description: 'Reads a ticket with its comments.',
  input: z.strictObject({ ticketId: z.string().min(1).max(80) }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: null,
  run: async ({ spaces, workspaceId }, { ticketId }) => {
    const ticket = await spaces.ticket(workspaceId, ticketId);
    const nameOf = await namesOf(spaces, workspaceId);
    const comments = ticket.comments.map(
      (comment) => `- ${nameOf(comment.author)}:\n${quotedBody(comment.body)}`,
    );
    return [
      `#${ticket.number} ${ticket.title} (${ticket.id})`,
      `Status ${ticket.status}, priority ${ticket.priority}, assignee ${ticket.assignee === null ? 'nobody' : nameOf(ticket.assignee)}`,
      `Labels: ${ticket.labels.join(', ') || 'none'}; parent: ${ticket.parentId ?? 'none'}`,
      '',
      ticket.description === '' ? '(no description)' : quotedBody(ticket.description),
      '',
      comments.length === 0 ? '(no comments)' : `Comments:\n${comments.join('\n')}`,
    ].join('\n');
  },
});
