import type { Context } from 'hono';
import { type ServiceEnv, serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { NewToken, OfMember } from './schema.ts';
import { SESSION_HEADER } from './session-header.ts';
import { endOtherSessions, endSession, sessionsOf } from './session-list.ts';
import type { Sessions } from './sessions.ts';
import { addToken, revokeToken, tokensOf } from './tokens.ts';

const hereOf = (c: Context<ServiceEnv>) => c.req.header(SESSION_HEADER) ?? null;

/** By what somebody gets in: the browsers in which they are signed in, and their tokens. */
export function accessRoutes(deps: SpacesDeps, sessions: Sessions) {
  return serviceRouter()
    .get('/api/sessions', validate('query', OfMember), async (c) => {
      const { memberId } = c.req.valid('query');
      return c.json({ items: await sessionsOf(deps, memberId, c.get('actor'), hereOf(c)), next: null }, 200);
    })
    .delete('/api/sessions', validate('query', OfMember), async (c) => {
      const { memberId } = c.req.valid('query');
      const ended = await endOtherSessions(deps, memberId, c.get('actor'), hereOf(c));
      sessions.forget();
      return c.json({ ended }, 200);
    })
    .delete('/api/sessions/:id', async (c) => {
      await endSession(deps, c.req.param('id'), c.get('actor'));
      sessions.forget();
      return c.json({}, 200);
    })
    .get('/api/tokens', validate('query', OfMember), async (c) => {
      const { memberId } = c.req.valid('query');
      return c.json({ items: await tokensOf(deps, memberId, c.get('actor')), next: null }, 200);
    })
    .post('/api/tokens', validate('json', NewToken), async (c) =>
      c.json(await addToken(deps, c.req.valid('json'), c.get('actor')), 201),
    )
    .delete('/api/tokens/:id', async (c) => {
      await revokeToken(deps, c.req.param('id'), c.get('actor'));
      return c.json({}, 200);
    });
}
