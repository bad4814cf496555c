import { type ServerProcess, startServerProcess } from './server-process.ts';

export const SERVICE_TOKEN = 'a-token-shared-by-the-services';

/** Spaces, runs and orchestration, each a process of its own; `env` is for all of them. */
export async function startThree(env: Record<string, string>): Promise<ServerProcess[]> {
  const names = ['spaces', 'runs', 'orchestration'];
  // Each service knows the others' addresses, so these are chosen first.
  const ports = names.map(freePort);
  const urls = Object.fromEntries(
    names.map((name, i) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[i]}`]),
  );
  return Promise.all(
    names.map((name, i) =>
      startServerProcess({
        ...env,
        ...urls,
        SERVICES: name,
        CONTROL_CENTER_PORT: String(ports[i]),
        CONTROL_CENTER_SERVICE_TOKEN: SERVICE_TOKEN,
      }),
    ),
  );
}

function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port as number;
}
