import * as z from 'zod';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';

const Inspect = z.strictObject({ path: z.string().min(1).max(4_096) });

/** What the host and the model catalogue offer; known repositories are checked here before a space links them. */
export function hostRoutes(deps: RunsDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .get('/host', async (c) => c.json(await deps.runner.probe(), 200))
    .get('/models', (c) =>
      c.json({ defaultModel: deps.models.defaultModel, items: deps.models.list(), next: null }, 200),
    )
    .post('/repositories/inspect', validate('json', Inspect), async (c) =>
      c.json(await deps.runner.inspectRepository(c.req.valid('json').path), 200),
    );
}
