import type { Context } from 'hono';
import * as z from 'zod';
import { Fault } from '../../kit/fault.ts';
import { problemResponse } from '../../kit/problem.ts';
import { type ServiceEnv, serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import type { Mcp } from './mcp.ts';
import { RUN_HEADER } from './run-token.ts';
import { holderOfToken, makeToken } from './token-operations.ts';
import { VIEWER_HEADER } from './viewer.ts';

const Digest = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) });

export function mcpRoutes(deps: RunsDeps, mcp: Mcp) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .post('/runs/:id/tokens', async (c) => {
      const { workspaceId, id } = c.req.param();
      const database = await deps.databases.open(workspaceId);
      return c.json(await makeToken(database, id, c.var.actor, deps.clock()), 201);
    })
    .post('/mcp/token-holder', validate('json', Digest), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await holderOfToken(database, c.req.valid('json').digest, c.var.actor), 200);
    })
    .post('/mcp', async (c) => {
      const runId = c.req.header(RUN_HEADER) ?? null;
      const isViewer = c.req.header(VIEWER_HEADER) !== undefined;
      const caller = { workspaceId: c.req.param('workspaceId'), actor: c.var.actor, runId, isViewer };
      return mcp.answer(caller, c.req.raw, await bodyOf(c));
    })
    .on(['GET', 'DELETE'], '/mcp', async (c) => {
      await deps.databases.open(c.req.param('workspaceId'));
      const refused = problemResponse(noSession(c.req.method), deps.log);
      refused.headers.set('allow', 'POST');
      return refused;
    });
}

async function bodyOf(c: Context<ServiceEnv>): Promise<unknown> {
  try {
    return await c.req.json();
  } catch (error) {
    throw new Fault('invalid_request', 'The body is not valid JSON.', {}, { cause: error });
  }
}

/** Clients try both and go on without. */
function noSession(method: string): Fault {
  const what = method === 'GET' ? 'sends nothing unasked' : 'keeps no sessions';
  return new Fault(
    'method_not_allowed',
    `This endpoint ${what}: POST one JSON-RPC message of the tool protocol to it.`,
  );
}
