import { actorId, isPerson, requirePerson } from '../../kit/actor.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { isService, requireService } from '../permission.ts';
import { accessRoutes } from './access-routes.ts';
import { addMember, changeMember, endMembership } from './member-operations.ts';
import { AskedSession, MemberChange, NewMember, NewSession, NewSignInCode, OneDigest } from './schema.ts';
import { Sessions } from './sessions.ts';
import { findMember, listFormerMembers, listMembers } from './store.ts';
import { holderOfToken } from './tokens.ts';

export function memberRoutes(deps: SpacesDeps) {
  const sessions = new Sessions(deps);
  return serviceRouter()
    .route('/', accessRoutes(deps, sessions))
    .get('/api/me', async (c) => {
      const actor = c.get('actor');
      const member = isPerson(actor) ? await findMember(deps.control, actorId(actor)) : null;
      return c.json({ actor, member }, 200);
    })
    .get('/api/members', async (c) => {
      // Services name people to agents.
      if (!isService(c.get('actor'))) requirePerson(c.get('actor'), 'list the members');
      const [items, former] = await Promise.all([listMembers(deps.control), listFormerMembers(deps.control)]);
      return c.json({ items, former, next: null }, 200);
    })
    .post('/api/members', validate('json', NewMember), async (c) =>
      c.json(await addMember(deps, c.req.valid('json'), c.get('actor')), 201),
    )
    .patch('/api/members/:id', validate('json', MemberChange), async (c) => {
      const member = await changeMember(deps, c.req.param('id'), c.req.valid('json'), c.get('actor'));
      sessions.forget();
      return c.json(member, 200);
    })
    .delete('/api/members/:id', async (c) => {
      await endMembership(deps, c.req.param('id'), c.get('actor'));
      sessions.forget();
      return c.json({}, 200);
    })
    .post('/api/sign-in-codes', validate('json', NewSignInCode), async (c) =>
      c.json(await sessions.newCode(c.req.valid('json'), c.get('actor')), 201),
    )
    .post('/api/sessions', validate('json', NewSession), async (c) => {
      requireService(c.get('actor'), 'sign somebody in');
      return c.json(await sessions.begin(c.req.valid('json')), 201);
    })
    .post('/api/sessions/end', validate('json', OneDigest), async (c) => {
      requireService(c.get('actor'), 'sign somebody out');
      await sessions.end(c.req.valid('json').digest);
      return c.json({}, 200);
    })
    .post('/api/session-holder', validate('json', AskedSession), async (c) => {
      requireService(c.get('actor'), 'ask whose session it is');
      return c.json(await sessions.holder(c.req.valid('json')), 200);
    })
    .post('/api/token-holder', validate('json', OneDigest), async (c) => {
      requireService(c.get('actor'), 'ask whose token it is');
      return c.json(await holderOfToken(deps, c.req.valid('json').digest), 200);
    });
}
