import * as z from 'zod';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import { findRun } from '../runs/store.ts';
import { readPrompts } from './prompt-store.ts';
import { readSteps } from './store.ts';

const PageQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** Of each output so many characters are shown; `/entries` has them whole. */
  maxChars: z.coerce.number().int().min(0).max(400_000).default(10_000),
});

/** What one run did and what it was told, for people to read. */
export function pageRoutes(deps: RunsDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/runs/:id')
    .get('/page', validate('query', PageQuery), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const run = await findRun(database, c.req.param('id'));
      return c.json({ run, ...(await readSteps(database, { runId: run.id, ...c.req.valid('query') })) }, 200);
    })
    .get('/prompt', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const run = await findRun(database, c.req.param('id'));
      return c.json({ runId: run.id, starts: await readPrompts(database, run.id) }, 200);
    });
}
