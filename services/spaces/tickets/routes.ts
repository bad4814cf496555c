import { newId } from '../../kit/id.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { NewTicketComment } from './comment-schema.ts';
import { insertComment, listComments } from './comment-store.ts';
import { begin, end } from './delegation-operations.ts';
import { DelegationEnd } from './delegation-schema.ts';
import { listDelegations } from './delegation-store.ts';
import { linkTickets } from './link-operations.ts';
import { NewTicketLink } from './link-schema.ts';
import { linksOf } from './link-store.ts';
import { NewTicket, TicketChange, TicketFilter } from './schema.ts';
import { findTicket, listTickets } from './store.ts';
import { changeTicket, createTicket } from './ticket-operations.ts';

export function ticketRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/tickets')
    .post('/', validate('json', NewTicket), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await createTicket(deps, database, c.req.valid('json'), c.get('actor')), 201);
    })
    .get('/', validate('query', Paging.extend(TicketFilter.shape)), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const query = c.req.valid('query');
      return c.json(pageOf(await listTickets(database, query, query), query.limit), 200);
    })
    .get('/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      const ticket = found(await findTicket(database, id), 'ticket', id);
      const [comments, links, delegations] = await Promise.all([
        listComments(database, id),
        linksOf(database, id),
        listDelegations(database, id),
      ]);
      return c.json({ ...ticket, comments, links, delegations }, 200);
    })
    .patch('/:id', validate('json', TicketChange), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const change = c.req.valid('json');
      return c.json(await changeTicket(deps, database, c.req.param('id'), change, c.get('actor')), 200);
    })
    .post('/:id/comments', validate('json', NewTicketComment), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const ticketId = c.req.param('id');
      found(await findTicket(database, ticketId), 'ticket', ticketId);
      const { body, key } = c.req.valid('json');
      const author = c.get('actor');
      const comment = { id: newId('cmt'), ticketId, author, body, createdAt: deps.clock() };
      return c.json(await insertComment(database, comment, key ?? null), 201);
    })
    .post('/:id/delegations/:number/begin', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      await begin(database, c.req.param('id'), c.req.param('number'), c.get('actor'), deps.clock());
      return c.json({}, 200);
    })
    .post('/:id/delegations/:number/end', validate('json', DelegationEnd), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const { id, number } = c.req.param();
      const told = c.req.valid('json');
      return c.json({ ended: await end(database, id, number, told, c.get('actor'), deps.clock()) }, 200);
    })
    .post('/:id/links', validate('json', NewTicketLink), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const link = c.req.valid('json');
      return c.json(await linkTickets(database, c.req.param('id'), link, c.get('actor'), deps.clock()), 201);
    });
}
