import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { ACTOR_HEADER, type Actor, parseActor } from './actor.ts';
import { Fault } from './fault.ts';
import type { Log } from './log.ts';
import { problemResponse } from './problem.ts';
import { parseSource, SOURCE_HEADER, withSource } from './source.ts';

/** What every route of a service can count on. */
export interface ServiceEnv {
  Variables: { actor: Actor };
}

/**
 * A service's inner app with the shared error translation. The headers of actor and source are trusted here: only the
 * edge and peers reach an inner app, and the edge sets both itself.
 */
export function withFaults<App extends Hono<ServiceEnv>>(app: App, log: Log): App {
  app.onError((error) => problemResponse(error instanceof HTTPException ? unreadable(error) : error, log));
  app.notFound((c) =>
    problemResponse(new Fault('not_found', `There is no ${c.req.method} ${c.req.path}.`), log),
  );
  return app;
}

// Thrown by the framework's own readers of a request, such as for a body that is not JSON.
function unreadable(error: HTTPException): Fault {
  return new Fault('invalid_request', `The request cannot be read: ${error.message}.`, {}, { cause: error });
}

const requireActor = createMiddleware<ServiceEnv>(async (c, next) => {
  const actor = parseActor(c.req.header(ACTOR_HEADER));
  c.set('actor', actor);
  await withSource(actor, parseSource(c.req.header(SOURCE_HEADER)), next);
});

/** A new router for one noun; every route has its actor. */
export function serviceRouter() {
  return new Hono<ServiceEnv>().use(requireActor);
}
