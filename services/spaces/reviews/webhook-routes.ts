import { Hono } from 'hono';
import * as z from 'zod';
import { Fault } from '../../kit/fault.ts';
import type { SpacesDeps } from '../deps.ts';
import { openOrRefresh } from './open-review.ts';
import type { Publisher } from './publisher.ts';
import { type PullRef, REPOSITORY } from './pull-url.ts';
import { SELF } from './self.ts';
import { isSigned } from './webhook-signature.ts';

const ACTIONS = ['opened', 'synchronize', 'reopened'];

/** Only which pull request it is about is taken from a delivery; all else is asked of the provider. */
const Delivery = z.object({
  action: z.string(),
  number: z.number().int().min(1).max(999_999_999),
  repository: z.object({ full_name: z.string().regex(REPOSITORY) }),
});

/**
 * Where a provider tells of pull requests. It has no actor and no token: a delivery is known by its signature. Without a
 * secret the path does not exist.
 */
export function webhookRoutes(deps: SpacesDeps, publisher: Publisher) {
  return new Hono()
    .post('/hooks/github/:workspaceId', async (c) => {
      const { webhookSecret } = deps;
      if (!webhookSecret) throw nothingAt(c.req);
      const body = new Uint8Array(await c.req.arrayBuffer());
      if (!isSigned(body, c.req.header('x-hub-signature-256'), webhookSecret)) throw notSigned();
      const workspaceId = c.req.param('workspaceId');
      await deps.databases.open(workspaceId);
      const ref = c.req.header('x-github-event') === 'pull_request' ? refOf(body) : null;
      if (ref === null) return c.json({ state: 'ignored' as const }, 200);
      const room = { agents: [], repositories: [] };
      const { id, headSha } = await openOrRefresh(deps, workspaceId, ref, room, SELF);
      publisher.look(workspaceId);
      return c.json({ state: 'looked' as const, reviewId: id, headSha }, 200);
    })
    .all('/hooks/*', (c) => {
      throw nothingAt(c.req);
    });
}

function nothingAt({ method, path }: { method: string; path: string }): Fault {
  return new Fault('not_found', `There is no ${method} ${path}.`);
}

function notSigned(): Fault {
  return new Fault('unauthenticated', 'The delivery is not signed with the secret of GITHUB_WEBHOOK_SECRET.');
}

/** The pull request to look at, or null when nothing about it is new. @throws Fault invalid_request */
function refOf(body: Uint8Array): PullRef | null {
  const { action, number, repository } = deliveryOf(body);
  return ACTIONS.includes(action) ? { repository: repository.full_name, number } : null;
}

function deliveryOf(body: Uint8Array): z.infer<typeof Delivery> {
  const parsed = Delivery.safeParse(jsonOf(body));
  if (parsed.success) return parsed.data;
  throw new Fault(
    'invalid_request',
    'The delivery does not name a pull request: action, number, repository.full_name.',
  );
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
