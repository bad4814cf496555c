import * as z from 'zod';
import { TICKET_PRIORITIES } from '../peers/spaces-port.ts';
import { assigneeOf, startedText } from './assignee.ts';
import { defineTool } from './tool.ts';

export const createTicket = defineTool({
  name: 'create_ticket',
  description:
    'Makes a ticket. With an assignee it starts that colleague on it at once, in a run of its own in this space, which knows nothing of yours: so the description must say all that it needs. You are told of the result when the ticket ends; do not wait or look for it, do what is left and end your answer.',
  input: z.strictObject({
    title: z.string().trim().min(1).max(200),
    description: z.string().max(100_000).describe('Markdown'),
    priority: z.enum(TICKET_PRIORITIES).optional(),
    assignee: z.string().min(1).max(80).optional().describe('Name of the agent that is to begin with it now'),
    parentId: z.string().min(1).max(80).optional(),
    projectId: z.string().min(1).max(80).optional(),
    labels: z.array(z.string().min(1).max(60)).max(20).optional(),
  }),
  tier: 'write',
  effects: [],
  keyed: true,
  needs: null,
  run: async ({ spaces, workspaceId, actor, spaceId, key, delegator }, { assignee, ...ticket }) => {
    const made = await spaces.createTicket(actor, workspaceId, {
      ...ticket,
      ...{ spaceId, key, delegator: await delegator() },
      assignee: await assigneeOf(spaces, workspaceId, assignee),
    });
    return `Made ticket #${made.number} (${made.id}).${startedText(made, actor)}`;
  },
});
