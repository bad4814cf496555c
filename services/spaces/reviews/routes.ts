import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { addFinding } from './add-finding.ts';
import { giveAxisResults, setAxisList } from './axis-operations.ts';
import { NewAxisList, NewAxisResults } from './axis-schema.ts';
import { axisList } from './axis-store.ts';
import { finalizeReview } from './finalize.ts';
import { confirmFinding, resolveFinding } from './finding-operations.ts';
import { Confirmation, NewFinding, Resolution } from './finding-schema.ts';
import { knownReview } from './known-review.ts';
import { candidates, openReview } from './open-review.ts';
import { publishReview } from './publish.ts';
import type { Publisher } from './publisher.ts';
import { refreshByHand } from './refresh-review.ts';
import { reviewPage, reviewView } from './review-view.ts';
import { CandidateQuery, NewReview, ReviewQuery } from './schema.ts';
import { Finalization, PublicationWish } from './verdict-schema.ts';
import { listVerdicts } from './verdict-store.ts';

export function reviewRoutes(deps: SpacesDeps, publisher: Publisher) {
  const open = (workspaceId: string) => deps.databases.open(workspaceId);
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/reviews')
    .post('/', validate('json', NewReview), async (c) => {
      const workspaceId = c.req.param('workspaceId');
      return c.json(await openReview(deps, workspaceId, c.req.valid('json'), c.get('actor')), 201);
    })
    .get('/', validate('query', ReviewQuery), async (c) =>
      c.json(await reviewPage(await open(c.req.param('workspaceId')), c.req.valid('query')), 200),
    )
    .get('/candidates', validate('query', CandidateQuery), async (c) => {
      await open(c.req.param('workspaceId'));
      const { repository } = c.req.valid('query');
      return c.json({ items: await candidates(deps, repository, c.get('actor')), next: null }, 200);
    })
    .get('/axes', async (c) => c.json({ axes: await axisList(await open(c.req.param('workspaceId'))) }, 200))
    .put('/axes', validate('json', NewAxisList), async (c) => {
      const database = await open(c.req.param('workspaceId'));
      const { axes } = c.req.valid('json');
      return c.json({ axes: await setAxisList(deps, database, axes, c.get('actor')) }, 200);
    })
    .get('/:id', async (c) =>
      c.json(await reviewView(await open(c.req.param('workspaceId')), c.req.param('id')), 200),
    )
    .get('/:id/verdicts', async (c) => {
      const database = await open(c.req.param('workspaceId'));
      const { id } = await knownReview(database, c.req.param('id'));
      return c.json({ items: await listVerdicts(database, id), next: null }, 200);
    })
    .post('/:id/refresh', async (c) => {
      const database = await open(c.req.param('workspaceId'));
      const workspaceId = c.req.param('workspaceId');
      const id = c.req.param('id');
      await refreshByHand(deps, database, id, c.get('actor'));
      publisher.look(workspaceId);
      return c.json(await reviewView(database, id), 200);
    })
    .post('/:id/findings', validate('json', NewFinding), async (c) => {
      const database = await open(c.req.param('workspaceId'));
      const input = c.req.valid('json');
      return c.json(await addFinding(deps, database, c.req.param('id'), input, c.get('actor')), 201);
    })
    .post('/:id/findings/:findingId/confirm', validate('json', Confirmation), async (c) => {
      const database = await open(c.req.param('workspaceId'));
      const { id: reviewId, findingId: id } = c.req.param();
      const input = c.req.valid('json');
      return c.json(await confirmFinding(deps, database, { reviewId, id }, input, c.get('actor')), 200);
    })
    .post('/:id/findings/:findingId/resolve', validate('json', Resolution), async (c) => {
      const database = await open(c.req.param('workspaceId'));
      const { id: reviewId, findingId: id } = c.req.param();
      const { reason } = c.req.valid('json');
      return c.json(await resolveFinding(deps, database, { reviewId, id }, reason, c.get('actor')), 200);
    })
    .post('/:id/axes', validate('json', NewAxisResults), async (c) => {
      const database = await open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      await giveAxisResults(deps, database, id, c.req.valid('json'), c.get('actor'));
      return c.json(await reviewView(database, id), 200);
    })
    .post('/:id/finalize', validate('json', Finalization), async (c) => {
      const workspaceId = c.req.param('workspaceId');
      const database = await open(workspaceId);
      const id = c.req.param('id');
      const outcome = await finalizeReview(deps, database, id, c.req.valid('json'), c.get('actor'));
      publisher.look(workspaceId);
      return c.json(outcome, 200);
    })
    .post('/:id/publish', validate('json', PublicationWish), async (c) => {
      const at = { workspaceId: c.req.param('workspaceId'), reviewId: c.req.param('id') };
      const input = c.req.valid('json');
      return c.json(await publishReview(deps, publisher, at, input, c.get('actor')), 200);
    });
}
