import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import { findConversation } from '../conversations/store.ts';
import type { SpacesDeps } from '../deps.ts';
import { pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { changeMessage, postMessage } from './message-operations.ts';
import { MessageChange, MessageQuery, NewMessage } from './schema.ts';
import { findMessage, listMessages, messagesBefore } from './store.ts';

export function messageRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .post('/conversations/:id/messages', validate('json', NewMessage), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const input = c.req.valid('json');
      return c.json(await postMessage(database, c.req.param('id'), input, c.get('actor'), deps.clock()), 201);
    })
    .get('/conversations/:id/messages', validate('query', MessageQuery), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      found(await findConversation(database, id), 'conversation', id);
      const { latest, before, ...paging } = c.req.valid('query');
      if (latest !== undefined || before !== undefined)
        return c.json(await messagesBefore(database, id, before, latest ?? paging.limit), 200);
      return c.json(pageOf(await listMessages(database, id, paging), paging.limit), 200);
    })
    .get('/messages/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      return c.json(found(await findMessage(database, id), 'message', id), 200);
    })
    .patch('/messages/:id', validate('json', MessageChange), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const change = c.req.valid('json');
      return c.json(
        await changeMessage(database, c.req.param('id'), change, c.get('actor'), deps.clock()),
        200,
      );
    });
}
