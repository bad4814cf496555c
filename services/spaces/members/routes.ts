import * as z from 'zod';
import { type Actor, actorId, isPerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireService } from '../permission.ts';
import { findMember, memberOfToken } from './store.ts';

const TokenDigest = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) });

export function memberRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .get('/api/me', async (c) => {
      const actor = c.get('actor');
      const member = isPerson(actor) ? await findMember(deps.control, actorId(actor)) : null;
      return c.json({ actor, member }, 200);
    })
    .post('/api/token-holder', validate('json', TokenDigest), async (c) => {
      requireService(c.get('actor'), 'ask whose token it is');
      const memberId = await memberOfToken(deps.control, c.req.valid('json').digest);
      const member = memberId === null ? null : await findMember(deps.control, memberId);
      if (member === null) throw new Fault('not_found', 'This token is not known here.');
      const actor: Actor = `person:${member.id}`;
      return c.json({ actor, role: member.role }, 200);
    });
}
