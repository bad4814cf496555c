import { serviceRouter } from '../../kit/service-app.ts';
import type { RunsDeps } from '../deps.ts';
import { honestyOf } from './honesty.ts';

/** Where the guarantees of modes really hold, by adapter, on this host. */
export function honestyRoutes(deps: RunsDeps) {
  return serviceRouter().get('/api/workspaces/:workspaceId/honesty', async (c) =>
    c.json(honestyOf(await deps.runner.probe()), 200),
  );
}
