import * as z from 'zod';
import { defineTool } from './tool.ts';

export const listAgents = defineTool({
  name: 'list_agents',
  description: 'Lists the agents of the workspace: name and title.',
  input: z.strictObject({}),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: null,
  run: async ({ spaces, workspaceId }) => {
    const agents = await spaces.agents(workspaceId);
    return agents.map((agent) => `${agent.name}: ${agent.title}`).join('\n') || '(no agents)';
  },
});
