import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { found } from '../not-found.ts';
import { addAttachment, readAttachment } from './add-attachment.ts';
import { contentHeaders } from './content.ts';
import { NewAttachment } from './schema.ts';
import { findAttachment } from './store.ts';

export function attachmentRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .post('/conversations/:id/attachments', validate('json', NewAttachment), async (c) => {
      const { workspaceId, id } = c.req.param();
      return c.json(await addAttachment(deps, workspaceId, id, c.req.valid('json'), c.get('actor')), 201);
    })
    .get('/attachments/:id', async (c) => {
      const { workspaceId, id } = c.req.param();
      return c.json(
        found(await findAttachment(await deps.databases.open(workspaceId), id), 'attachment', id),
        200,
      );
    })
    .get('/attachments/:id/content', async (c) => {
      const { workspaceId, id } = c.req.param();
      const { attachment, bytes } = await readAttachment(deps, workspaceId, id);
      const headers = contentHeaders(attachment);
      const known = c.req.header('if-none-match')?.split(',') ?? [];
      if (known.some((tag) => tag.trim().replace(/^W\//, '') === headers.etag))
        return c.body(null, 304, headers);
      return c.body(bytes, 200, headers);
    });
}
