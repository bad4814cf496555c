import type { Server, WebSocketHandler } from 'bun';
import page from '../web/index.html';

/**
 * The web app as it is written, for whoever changes it: a save shows at once, and the page keeps what it holds. All below /api
 * goes on to a server that runs (CONTROL_CENTER_URL), in that server's own name, so that its edge lets it in; so what the edge
 * would refuse for its Host or Origin is refused here. The app runs on React itself, which can take changes in; what ships is
 * the build (scripts/web-view.ts).
 */
const target = new URL(process.env.CONTROL_CENTER_URL ?? 'http://127.0.0.1:4400');

interface Relay {
  path: string;
  cookie: string;
  upstream: WebSocket | null;
  /** What the page said before the server was reached. */
  early: string[];
}

/** A page of another port is sent this one's cookie, too, and a socket asks nobody before: it has to say whose it is. */
function isOwnPage({ headers }: Request, isSocket: boolean, port: number | undefined): boolean {
  const [host, origin] = [headers.get('host'), headers.get('origin')];
  const isHere = ['127.0.0.1', 'localhost', 'control-center.localhost'].some(
    (name) => host === `${name}:${port}`,
  );
  return isHere && (origin === `http://${host}` || (origin === null && !isSocket));
}

async function forward(request: Request, server: Server<Relay>): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  const isSocket = request.headers.get('upgrade')?.toLowerCase() === 'websocket';
  if (!isOwnPage(request, isSocket, server.port)) {
    const detail = 'Only its own page, at its own address, is passed on to the server.';
    return Response.json({ code: 'foreign_origin', detail }, { status: 403 });
  }
  if (isSocket) {
    const cookie = request.headers.get('cookie') ?? '';
    const data: Relay = { path: pathname + search, cookie, upstream: null, early: [] };
    return server.upgrade(request, { data }) ? undefined : new Response(null, { status: 400 });
  }
  const headers = new Headers(request.headers);
  headers.set('host', target.host);
  if (headers.has('origin')) headers.set('origin', target.origin);
  const { method, signal } = request;
  const body = request.body === null ? null : await request.arrayBuffer();
  return fetch(new URL(pathname + search, target), {
    method,
    headers,
    body,
    signal,
    decompress: false,
  }).catch(() =>
    Response.json({ code: 'unreachable', detail: `No server answers at ${target.origin}.` }, { status: 502 }),
  );
}

const relay: WebSocketHandler<Relay> = {
  open(socket) {
    const { path, cookie, early } = socket.data;
    const url = new URL(path, target);
    url.protocol = target.protocol === 'https:' ? 'wss:' : 'ws:';
    const upstream = new WebSocket(url, { headers: { cookie, origin: target.origin } });
    socket.data.upstream = upstream;
    upstream.onopen = () => {
      for (const text of early.splice(0)) upstream.send(text);
    };
    upstream.onmessage = ({ data }) => socket.send(String(data));
    // 1006 says that nothing was said; it cannot be sent.
    upstream.onclose = ({ code, reason }) => socket.close(code === 1006 ? 1011 : code, reason);
  },
  message({ data }, message) {
    if (data.upstream?.readyState === WebSocket.OPEN) data.upstream.send(String(message));
    else data.early.push(String(message));
  },
  close({ data }) {
    data.upstream?.close();
  },
};

function listen(port: number): Server<Relay> {
  try {
    return Bun.serve<Relay>({
      ...{ hostname: '127.0.0.1', port, idleTimeout: 0 },
      development: { hmr: true, console: false },
      routes: { '/api/*': forward, '/*': page },
      websocket: relay,
    });
  } catch (error) {
    process.stderr.write(
      `Nothing can listen on port ${port} (${String(error)}). Choose another with PORT.\n`,
    );
    process.exit(1);
  }
}

const { port } = listen(Number(process.env.PORT ?? 4401));
const at = `http://control-center.localhost:${port}`;
console.log(
  `The app at ${at}, its server at ${target.origin}. Whoever is signed in there is so here; else paste a link from \`cctl sign-in\`.`,
);
