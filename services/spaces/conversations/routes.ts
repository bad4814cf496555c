import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { findShownSpace, findSpace } from '../spaces/store.ts';
import { NewConversation } from './schema.ts';
import { findShownConversation, listConversations } from './store.ts';
import { openThread } from './thread.ts';

export function conversationRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .post('/spaces/:id/conversations', validate('json', NewConversation), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const input = c.req.valid('json');
      const { id } = await openThread(database, c.req.param('id'), input, c.get('actor'), deps.clock());
      return c.json(found(await findShownConversation(database, id), 'conversation', id), 201);
    })
    .get('/spaces/:id/conversations', validate('query', Paging), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const space = found(await findSpace(database, c.req.param('id')), 'space', c.req.param('id'));
      const paging = c.req.valid('query');
      return c.json(pageOf(await listConversations(database, space.id, paging), paging.limit), 200);
    })
    .get('/conversations/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      const conversation = found(await findShownConversation(database, id), 'conversation', id);
      const { spaceId } = conversation;
      const space = found(await findShownSpace(database, spaceId), 'space', spaceId);
      return c.json({ ...conversation, space }, 200);
    });
}
