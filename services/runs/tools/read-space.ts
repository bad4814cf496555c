import * as z from 'zod';
import { withAttachments } from '../prompt/attachment-lines.ts';
import { quotedBody } from '../prompt/conversation-prompt.ts';
import { namesOf } from '../prompt/names.ts';
import { defineTool } from './tool.ts';

const DEFAULT_MESSAGES = 20;

export const readSpace = defineTool({
  name: 'read_space',
  description:
    'Reads this space: its mode, repositories and agents, and the last messages of this conversation.',
  input: z.strictObject({
    messages: z
      .int()
      .min(1)
      .max(200)
      .optional()
      .describe(`How many messages, ${DEFAULT_MESSAGES} unless told`),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'conversation',
  run: async ({ spaces, workspaceId, origin }, { messages = DEFAULT_MESSAGES }) => {
    const { spaceId, conversationId } = origin();
    const space = await spaces.space(workspaceId, spaceId);
    const agents = await spaces.agents(workspaceId);
    const names = agents.filter(({ id }) => space.agents.includes(id)).map(({ name }) => name);
    const nameOf = await namesOf(spaces, workspaceId);
    const recent = await spaces.recentMessages(workspaceId, conversationId, messages);
    return [
      `Space ${space.name}, mode ${space.mode}`,
      `Repositories: ${space.repositories.map(({ name }) => name).join(', ') || 'none'}`,
      `Agents: ${names.join(', ') || 'none'}`,
      '',
      ...recent.map(
        ({ author, kind, body, attachments }) =>
          `${nameOf(author)} (${kind}):\n${quotedBody(withAttachments(body, attachments))}`,
      ),
    ].join('\n');
  },
});
