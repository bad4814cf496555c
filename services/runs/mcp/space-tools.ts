import * as z from 'zod';
import { Autonomy } from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';
import type { Operator } from './operator.ts';
import { defineOperatorTool, Id, paging } from './operator-tool.ts';

const Key = z.string().min(1).max(200).optional().describe('The same key again makes nothing new');

export const listSpaces = defineOperatorTool({
  name: 'list_spaces',
  title: 'List spaces',
  description:
    'Lists the spaces of this workspace: each with its mode, repositories, agents and main conversation.',
  input: z.strictObject(paging),
  nature: 'reads',
  run: async (operator, query) => ({ ...(await operator.spaces(query)) }),
});

export const createSpace = defineOperatorTool({
  name: 'create_space',
  title: 'Create a space',
  description: 'Opens a space with its main conversation for agents to work in.',
  input: z.strictObject({
    name: z.string().trim().min(1).max(300),
    mode: z.enum(['chat', 'plan', 'orchestrate']).default('chat'),
    autonomy: Autonomy.optional().describe('What agents do without being allowed each time'),
    whenNobody: z
      .enum(['refuse', 'wait'])
      .optional()
      .describe('What becomes of an action that has to be allowed while nobody is connected'),
    repositories: z
      .array(z.strictObject({ name: z.string().max(64), path: z.string().min(1).max(4_096) }))
      .max(20)
      .optional()
      .describe('Git repositories on the server; `name` is a short slug'),
    agents: z.array(z.string().min(1).max(300)).max(500).optional().describe('Names or ids of agents'),
    parentSpaceId: Id.optional(),
    key: Key,
  }),
  nature: 'adds',
  run: async (operator, { agents, ...space }) => ({
    ...(await operator.createSpace({ ...space, agents: agents && (await idsOf(operator, agents)) })),
  }),
});

/** @throws Fault not_found naming the unknown ones, and those there are */
async function idsOf(operator: Operator, named: readonly string[]): Promise<string[]> {
  const agents = await operator.agents();
  const byName = new Map(agents.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]));
  const unknown = named.filter((name) => !byName.has(name));
  if (unknown.length === 0) return named.map((name) => byName.get(name) ?? name);
  const known = agents.map(({ name }) => name).join(', ');
  throw new Fault(
    'not_found',
    `There is no agent ${unknown.join(', ')} in this workspace. There are: ${known}.`,
  );
}

export const postMessage = defineOperatorTool({
  name: 'post_message',
  title: 'Post a message',
  description:
    'Posts a message in your name, in a conversation or in the main one of a space. `@name` wakes the agent of that name.',
  input: z
    .strictObject({
      conversationId: Id.optional(),
      spaceId: Id.optional(),
      body: z.string().min(1).max(100_000).describe('Markdown'),
      key: Key,
    })
    .refine(({ conversationId, spaceId }) => (conversationId === undefined) !== (spaceId === undefined), {
      message: 'give either conversationId or spaceId',
    }),
  nature: 'adds',
  run: async (operator, { conversationId, spaceId, ...message }) => {
    const id = conversationId ?? (await operator.space(spaceId ?? '')).mainConversationId;
    return { ...(await operator.postMessage(id, message)) };
  },
});
