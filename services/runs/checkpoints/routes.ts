import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import { findRow } from '../runs/store.ts';
import { UndoRequest } from './schema.ts';
import { listCheckpoints } from './store.ts';
import { readTimeline } from './timeline.ts';
import type { Undoing } from './undoing.ts';

export function checkpointRoutes(deps: RunsDeps, undoing: Undoing) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/runs/:id')
    .get('/checkpoints', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const { id } = await findRow(database, c.req.param('id'));
      const timeline = await readTimeline(database, id);
      return c.json({ items: await listCheckpoints(database, id, timeline) }, 200);
    })
    .post('/undo', validate('json', UndoRequest), async (c) => {
      const { workspaceId, id } = c.req.param();
      return c.json(await undoing.undo(workspaceId, id, c.req.valid('json'), c.var.actor), 200);
    });
}
