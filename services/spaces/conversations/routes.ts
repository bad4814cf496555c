import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { findSpace } from '../spaces/store.ts';
import { NewConversation } from './schema.ts';
import { findConversation, listConversations } from './store.ts';
import { openThread } from './thread.ts';

export function conversationRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .post('/spaces/:id/conversations', validate('json', NewConversation), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const input = c.req.valid('json');
      return c.json(await openThread(database, c.req.param('id'), input, c.get('actor'), deps.clock()), 201);
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
      const conversation = found(await findConversation(database, id), 'conversation', id);
      const space = found(await findSpace(database, conversation.spaceId), 'space', conversation.spaceId);
      return c.json({ ...conversation, space }, 200);
    });
}
