import { afterAll, beforeAll, expect, test } from 'bun:test';
import { git } from '../../scripts/demo/demo-repository.ts';
import { DELIVERED, PLAN, PLAN_SCRIPT } from './plan-script.ts';
import { createWorld, founded, type Json, said, spaceWith, toolResults, until, type World } from './world.ts';

/** A room in plan mode in which the plan was just submitted. */
async function planned(world: World, name: string) {
  const { ws, agents } = await founded(world, name);
  const repositories = [{ name: 'app', path: world.stage.repository }];
  const space = await spaceWith(world, ws, agents.ceo!, { mode: 'plan', repositories });
  const run = await said(world, ws, space, 'make a plan');
  const { items } = await world.ok('GET', `${ws}/plans`);
  return { ws, agents, space, run, plan: items[0] as Json };
}

const completed = (world: World, ws: string, id: string) =>
  until(
    () => world.ok('GET', `${ws}/plans/${id}`),
    ({ status, failure }) => status === 'completed' || failure !== null,
    60_000,
  );
const cardOf = async (world: World, ws: string, space: Json): Promise<Json[]> => {
  const { items } = await world.ok('GET', `${ws}/conversations/${space.mainConversationId}/messages`);
  return items.filter(({ kind }: Json) => kind === 'plan');
};

let world: World;
beforeAll(async () => {
  world = await createWorld(PLAN_SCRIPT);
});
afterAll(() => world.end());

test('a plan is submitted, approved and done by its agent in the repository, and the room works on in Agent mode', async () => {
  const { ws, agents, space, run, plan } = await planned(world, 'plan');
  expect(run).toMatchObject({ mode: 'plan', status: 'completed', liveness: 'progressing' });
  const [submitted] = await toolResults(world, ws, run.id);
  expect(submitted).toMatchObject({ name: 'submit_plan', isError: false });
  expect(submitted?.content).toBe(
    `The plan is submitted as ${plan.id}, revision 1. It waits for a person to approve it.`,
  );
  expect(plan).toMatchObject({
    kind: 'plan',
    status: 'proposed',
    proposedBy: `agent:${agents.ceo}`,
    runId: run.id,
  });
  const [item] = (await world.ok('GET', `${ws}/inbox`)).items;
  expect(item).toMatchObject({ id: plan.approvalId, arguments: { orchestrationId: plan.id, revision: 1 } });
  expect(git(world.stage.repository, 'branch', '--list', 'control-center/orc_*')).toBe('');
  await world.ok('POST', `${ws}/orchestrations/${plan.id}/approve`, { revision: 1 });

  const done = await completed(world, ws, plan.id);
  expect(done).toMatchObject({
    ...{ status: 'completed', deliverable: DELIVERED.deliverable, gaps: [], spaceReturned: true },
    ...{ goal: PLAN.goal, nodes: PLAN.nodes, costUnknown: false },
  });
  const { repository } = world.stage;
  expect(git(repository, 'show', `${done.branch}:PAYING.md`)).toBe('By transfer.\n');
  expect(git(repository, 'show', `${done.branch}:README.md`)).toBe('See PAYING.md.\n');
  expect(
    git(repository, 'log', '--format=%an', `main..${done.branch}`, '--no-merges').trim().split('\n'),
  ).toEqual(['ceo', 'ceo']);
  expect(git(repository, 'status', '--porcelain')).toBe('');

  expect((await world.ok('GET', `${ws}/inbox`)).count).toBe(0);
  const [card] = await until(
    () => cardOf(world, ws, space),
    ([shown]) => shown?.data.status === 'completed',
  );
  expect(card?.body).toStartWith('**Plan: Completed** · revision 1');
  expect(card?.body).toContain('2 nodes, budget $5.00 (default)');
  expect((await world.ok('GET', `${ws}/spaces/${space.id}`)).mode).toBe('chat');
  const next = await said(world, ws, space, 'go on');
  expect(next).toMatchObject({ mode: 'chat', status: 'completed' });
  expect(next.tools).toContain('write_file');
  const { body } = world.model.requests.findLast((request) =>
    JSON.stringify(request.body.messages).includes('go on'),
  )!;
  expect((body.tools ?? []).map(({ name }) => name)).toContain('write_file');
  expect(await toolResults(world, ws, next.id)).toMatchObject([{ name: 'write_file', isError: false }]);
}, 90_000);

const POINTS = [
  'approval.decide:after',
  'orchestration.approve:before',
  'orchestration.returnSpace:after',
  'space.change:after',
];
for (const point of POINTS) {
  test(`the server killed at ${point} of the approval does the work and returns the room, each once`, async () => {
    const killed = await createWorld(PLAN_SCRIPT, { CONTROL_CENTER_CRASH_AT: point });
    try {
      const { ws, space, plan } = await planned(killed, 'killed');
      const decision = { decision: 'approved' };
      await killed
        .api('POST', `${ws}/approvals/${plan.approvalId}/decision`, decision)
        .catch(() => undefined);
      await killed.server.exited;
      await killed.restart({ CONTROL_CENTER_CRASH_AT: '' });
      expect((await completed(killed, ws, plan.id)).status).toBe('completed');
      const { items } = await killed.ok('GET', `${ws}/events?limit=1000`);
      const modes = items.filter(
        ({ type, subject, data }: Json) => type === 'space.changed' && subject === space.id && data.mode,
      );
      expect(modes.map(({ data }: Json) => data.mode)).toEqual(['chat']);
      const runs = (await killed.ok('GET', `${ws}/runs?limit=500`)).items;
      expect(runs.map(({ trigger }: Json) => trigger.kind).sort()).toEqual([
        ...['pipelineStep', 'pipelineStep', 'pipelineStep', 'userMessage'],
      ]);
    } finally {
      await killed.end();
    }
  }, 90_000);
}
