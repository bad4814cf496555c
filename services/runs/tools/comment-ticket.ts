import * as z from 'zod';
import { defineTool } from './tool.ts';

export const commentTicket = defineTool({
  name: 'comment_ticket',
  description: 'Adds a comment to a ticket.',
  input: z.strictObject({
    ticketId: z.string().min(1).max(80),
    body: z.string().trim().min(1).max(100_000).describe('Markdown'),
  }),
  tier: 'write',
  effects: [],
  keyed: true,
  needs: null,
  run: async ({ spaces, workspaceId, actor, key }, { ticketId, body }) => {
    await spaces.commentTicket(actor, workspaceId, ticketId, { body, key });
    return 'Commented.';
  },
});
