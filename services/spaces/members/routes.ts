import { actorId, isPerson } from '../../kit/actor.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import type { SpacesDeps } from '../deps.ts';
import { findMember } from './store.ts';

export function memberRoutes(deps: SpacesDeps) {
  return serviceRouter().get('/api/me', async (c) => {
    const actor = c.get('actor');
    const member = isPerson(actor) ? await findMember(deps.control, actorId(actor)) : null;
    return c.json({ actor, member }, 200);
  });
}
