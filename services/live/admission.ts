import { SOURCE_HEADER } from '../kit/source.ts';

export type Handler = (request: Request) => Response | Promise<Response>;

/** The edge around whatever it is given; `connections` tells where a request came from. */
export type Edge<Connections> = (
  handle: Handler,
) => (request: Request, connections: Connections) => Promise<Response>;

/** Inner headers: whom the edge took the sender of a request for. */
export type Identity = Readonly<Record<string, string>>;

const INNER_PREFIX = 'x-control-center-';

/** Whom the edge takes this for; null, with its answer, when it lets the request not pass. */
export async function admit<Connections>(
  edge: Edge<Connections>,
  request: Request,
  connections: Connections,
): Promise<{ identity: Identity | null; answer: Response }> {
  let identity: Identity | null = null;
  const wall = edge(({ headers }) => {
    identity = Object.fromEntries([...headers].filter(([name]) => name.startsWith(INNER_PREFIX)));
    return new Response(null);
  });
  const answer = await wall(request, connections);
  return { identity, answer };
}

/** Whether both may do the same; where they came from is no matter. */
export function isSame(a: Identity, b: Identity): boolean {
  const text = (identity: Identity) =>
    JSON.stringify(
      Object.entries(identity)
        .filter(([name]) => name !== SOURCE_HEADER)
        .toSorted(),
    );
  return text(a) === text(b);
}
