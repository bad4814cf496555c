import * as z from 'zod';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import { treesOf } from './tree-node.ts';
import { conversationFacts, treeFacts } from './tree-store.ts';

const TreesQuery = z.object({
  conversationId: z.string().min(1).max(80),
  after: z.string().max(80).default(''),
  /** Trees, each with all of its runs. */
  limit: z.coerce.number().int().min(1).max(200).default(100),
});

/** Runs as trees: the one that a run belongs to, and those of a conversation. */
export function treeRoutes(deps: RunsDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/runs')
    .get('/trees', validate('query', TreesQuery), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const { limit, ...query } = c.req.valid('query');
      const trees = treesOf(await conversationFacts(database, { ...query, limit: limit + 1 }), deps.clock());
      const items = trees.slice(0, limit);
      return c.json({ items, next: trees.length > limit ? (items.at(-1)?.id ?? null) : null }, 200);
    })
    .get('/:id/tree', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const [tree] = treesOf(await treeFacts(database, c.req.param('id')), deps.clock());
      return c.json(tree, 200);
    });
}
