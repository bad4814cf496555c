import * as z from 'zod';
import { defineTool } from './tool.ts';

export const postMessage = defineTool({
  name: 'post_message',
  description:
    'Posts a message in this conversation while you go on working. Your final answer is posted by itself; do not post it twice.',
  input: z.strictObject({ body: z.string().trim().min(1).max(100_000).describe('Markdown') }),
  tier: 'write',
  effects: [],
  keyed: true,
  needs: 'conversation',
  run: async ({ spaces, workspaceId, actor, origin, runId, key }, { body }) => {
    const message = { kind: 'text', body, data: { runId }, key } as const;
    const { id, notices } = await spaces.postMessage(actor, workspaceId, origin().conversationId, message);
    return [`Posted as ${id}.`, ...notices].join('\n');
  },
});
