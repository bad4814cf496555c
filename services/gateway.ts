import { SERVICE_NAMES, type ServiceName } from './config.ts';
import { ACTOR_HEADER } from './kit/actor.ts';
import { Fault } from './kit/fault.ts';
import type { Log } from './kit/log.ts';
import type { Wakes } from './kit/wakes.ts';

export type Handler = (request: Request) => Response | Promise<Response>;

/** Which service answers `/api/workspaces/:workspaceId/<noun>`; what is named nowhere belongs to spaces. */
const NOUNS: Partial<Record<string, ServiceName>> = {
  runs: 'runs',
  'live-states': 'runs',
  activities: 'runs',
  histories: 'runs',
  budgets: 'runs',
  repositories: 'runs',
  worktrees: 'runs',
  integrations: 'runs',
  host: 'runs',
  models: 'runs',
  policy: 'runs',
  honesty: 'runs',
  mcp: 'runs',
  orchestrations: 'orchestration',
  plans: 'orchestration',
};

const WAKE_PATH = '/internal/wake';
const NOUN_SEGMENT = 4;

/** Routes a request that passed the edge: to a service of this process, or on to where the service runs. */
export function createGateway(options: {
  handlers: Record<ServiceName, Handler>;
  local: readonly ServiceName[];
  wakes: Wakes;
}): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/healthz') return Response.json({ status: 'ok', services: options.local });
    if (pathname === WAKE_PATH) return wakeReaders(request, options.wakes);
    const service = NOUNS[pathname.split('/')[NOUN_SEGMENT] ?? ''] ?? 'spaces';
    return options.handlers[service](request);
  };
}

/** Passes a request on to a service in another process, in the actor's name. */
export function createProxy(baseUrl: string, serviceToken: string): Handler {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    // Not resolved against the base: a path that begins with two slashes would name another host.
    const target = Object.assign(new URL(baseUrl), { pathname, search });
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${serviceToken}`);
    headers.delete('host');
    headers.delete('origin');
    const body = request.body ? await request.arrayBuffer() : null;
    try {
      return await fetch(target, {
        method: request.method,
        headers,
        body,
        signal: request.signal,
      });
    } catch (error) {
      throw new Fault('unavailable', `The service at ${baseUrl} cannot be reached.`, {}, { cause: error });
    }
  };
}

async function wakeReaders(request: Request, wakes: Wakes): Promise<Response> {
  if (!request.headers.get(ACTOR_HEADER)?.startsWith('service:')) {
    throw new Fault('forbidden', 'Only services wake each other.');
  }
  const body: unknown = await request.json().catch(() => null);
  const workspaceId = (body as { workspaceId?: unknown } | null)?.workspaceId;
  if (typeof workspaceId !== 'string') {
    throw new Fault('invalid_request', 'A nudge names its workspace: send {"workspaceId": "ws_…"}.');
  }
  wakes.wake(workspaceId, 'elsewhere');
  return Response.json({});
}

/** Tells the other processes that a workspace's log grew; a lost nudge is made good by their slow poll. */
export function nudgePeers(
  peers: Partial<Record<ServiceName, string>>,
  serviceToken: string,
  wakes: Wakes,
  log: Log,
): () => void {
  const urls = SERVICE_NAMES.flatMap((name) => peers[name] ?? []);
  return wakes.onWake((workspaceId, origin) => {
    if (origin === 'elsewhere') return;
    for (const url of new Set(urls)) {
      fetch(new URL(WAKE_PATH, url), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${serviceToken}`,
          [ACTOR_HEADER]: 'service:peer',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ workspaceId }),
      }).catch((error: unknown) => log.debug({ err: error, url }, 'a nudge was lost'));
    }
  });
}
