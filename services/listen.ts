import { SERVICE_NAMES, type ServiceName } from './config.ts';
import { createGateway, createProxy, type Handler } from './gateway.ts';
import { type Bearer, createEdge } from './kit/edge.ts';
import { Fault } from './kit/fault.ts';
import { createPeer } from './kit/peer.ts';
import { type Connection, LIVE_PATH, Live } from './live/live.ts';
import { bearerOfPerson } from './person-bearer.ts';
import { bearerOfRun } from './run-bearer.ts';
import { RUN_TOKEN_PREFIX } from './runs/mcp/run-token.ts';
import type { RunsApp } from './runs/service.ts';
import type { Parts, Site } from './site.ts';
import type { SpacesApp } from './spaces/service.ts';
import { createBrowserEdge } from './web/browser.ts';
import { BROWSER_HOST } from './web/browser-host.ts';

/**
 * Binds to loopback, with the edge around the services of this process and the way to those of others.
 * @throws Fault port_in_use, invalid_configuration
 */
export function listen(site: Site, parts: Parts) {
  const { config, wakes, log } = site;
  const handlers = Object.fromEntries(
    SERVICE_NAMES.map((name): [ServiceName, Handler] => [
      name,
      parts[name]?.handle ?? createProxy(config.peers[name] ?? '', config.serviceToken ?? ''),
    ]),
  ) as Record<ServiceName, Handler>;
  const hosts: string[] = [];
  const wall = {
    hosts: () => hosts,
    bearerOf: bearers(site),
    // Deliveries of a provider, which are signed.
    isOpen: (path: string) => path.startsWith('/hooks/'),
    serviceToken: config.serviceToken,
    ...createBrowserEdge(site, () => server.port ?? 0),
    log,
  };
  const handle = createGateway({ handlers, local: config.services, wakes });
  const live = new Live({ edge: (inner) => createEdge({ ...wall, handle: inner }), handle, log });
  const server = bind(config.port, createEdge({ ...wall, handle }), live);
  hosts.push(...['127.0.0.1', 'localhost', BROWSER_HOST].map((host) => `${host}:${server.port}`));
  return { url: server.url, live, stop: () => server.stop(true) };
}

/** People's tokens are known to whichever process runs `spaces`; a run's, to the one with `runs`. */
function bearers(site: Site) {
  const spaces = createPeer<SpacesApp>(site.transport('spaces'));
  const runs = createPeer<RunsApp>(site.transport('runs'));
  return async (token: string, path: string, method: string): Promise<Bearer | null> => {
    if (token.startsWith(RUN_TOKEN_PREFIX)) return bearerOfRun(runs, token, path);
    return bearerOfPerson(spaces, token, path, method);
  };
}

type Edge = ReturnType<typeof createEdge>;

function bind(port: number, edge: Edge, live: Live) {
  try {
    // Event streams are quiet for long; their own heartbeats keep them open. The edge bounds bodies, and says so.
    const unbounded = { idleTimeout: 0, maxRequestBodySize: Number.MAX_SAFE_INTEGER };
    return Bun.serve<Connection>({
      ...{ hostname: '127.0.0.1', port, ...unbounded, websocket: live.websocket },
      // Without a Host its URL is none; the edge says so.
      fetch: (request, server) =>
        URL.parse(request.url)?.pathname === LIVE_PATH
          ? live.upgrade(request, server)
          : edge(request, server),
    });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const problem = code === 'EADDRINUSE' ? 'is in use' : 'may not be used by this user';
    const mend =
      'End what listens there, or choose another with --port or CONTROL_CENTER_PORT (0 takes a free one).';
    throw new Fault(
      code === 'EADDRINUSE' ? 'port_in_use' : 'invalid_configuration',
      `Port ${port} of 127.0.0.1 ${problem}. ${mend}`,
      { port },
      { cause: error },
    );
  }
}
