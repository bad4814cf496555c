import { type Actor, actorId, isPerson, requirePerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireService } from '../permission.ts';
import { addMember, changeMember } from './member-operations.ts';
import { AskedSession, MemberChange, NewMember, NewSession, NewSignInCode, OneDigest } from './schema.ts';
import { Sessions } from './sessions.ts';
import { findMember, listMembers, memberOfToken } from './store.ts';

export function memberRoutes(deps: SpacesDeps) {
  const sessions = new Sessions(deps);
  return serviceRouter()
    .get('/api/me', async (c) => {
      const actor = c.get('actor');
      const member = isPerson(actor) ? await findMember(deps.control, actorId(actor)) : null;
      return c.json({ actor, member }, 200);
    })
    .get('/api/members', async (c) => {
      requirePerson(c.get('actor'), 'list the members');
      return c.json({ items: await listMembers(deps.control), next: null }, 200);
    })
    .post('/api/members', validate('json', NewMember), async (c) =>
      c.json(await addMember(deps, c.req.valid('json'), c.get('actor')), 201),
    )
    .patch('/api/members/:id', validate('json', MemberChange), async (c) => {
      const member = await changeMember(deps, c.req.param('id'), c.req.valid('json'), c.get('actor'));
      sessions.forget();
      return c.json(member, 200);
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
      const memberId = await memberOfToken(deps.control, c.req.valid('json').digest);
      const member = memberId === null ? null : await findMember(deps.control, memberId);
      if (member === null) throw new Fault('not_found', 'This token is not known here.');
      const actor: Actor = `person:${member.id}`;
      return c.json({ actor, role: member.role }, 200);
    });
}
