import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { driverOf } from './doubles/driver.ts';
import { answerScript, World } from './doubles/world.ts';
import type { RunStanding } from './ports.ts';

setDefaultTimeout(30_000);

let world: World;
afterEach(() => world.end());

const standingOf = (runId: string, change: Partial<RunStanding> = {}): RunStanding => ({
  ...{
    runId,
    standing: 'blocked',
    atRunId: 'run_below',
    agentId: 'agt_x',
    agentName: 'helper',
    approvalId: null,
  },
  ...{ errorFamily: 'sandbox', summary: 'Disk is full.', resumeAt: null, takenOverBy: null, pausedBy: null },
  ...{ since: 7, costMicros: 40, tokens: { input: 4, output: 3, cacheRead: 2, cacheWrite: 1 } },
  ...change,
});

test('a step says what stands in the way of its run and what it has cost so far, until it ends', async () => {
  const answer = answerScript();
  world = await World.create({
    script: (run, step) => (step === 'ticket/api' ? 'hold' : answer(run, step)),
  });
  await world.live();
  const drive = driverOf(world);
  const { id } = await drive.propose();
  await drive.approve(id);
  await drive.stepIs(id, 'ticket/api', 'waiting');
  const held = world.runs.runOf('ticket/api');
  world.runs.standings_ = [standingOf(held.id), standingOf('run_of_a_passed_on_ticket')];
  world.runs.spendings_ = [{ target: id, spentMicros: 9_000_000, unknownCalls: 1 }];
  const stepOf = async (key: string) => (await drive.detail(id)).steps.find((step) => step.key === key);
  expect(await stepOf('ticket/api')).toMatchObject({
    ...{ runId: held.id, costMicros: 40, tokens: { input: 4, output: 3, cacheRead: 2, cacheWrite: 1 } },
    run: {
      ...{ id: held.id, standing: 'blocked', atRunId: 'run_below', errorFamily: 'sandbox', since: 7 },
      summary: 'Disk is full.',
    },
  });
  expect((await stepOf('ticket/api'))?.run).not.toHaveProperty('costMicros');
  expect(await stepOf('research')).toMatchObject({ run: null, costMicros: 1_000 });
  world.runs.standings_ = [standingOf(held.id, { costMicros: null })];
  expect((await stepOf('ticket/api'))?.costMicros).toBeNull();

  const spent = { spentMicros: 9_000_000, costUnknown: true };
  expect(await drive.detail(id)).toMatchObject(spent);
  expect(await drive.list()).toMatchObject([spent]);

  await world.runs.end(held, { text: 'done' });
  await drive.ended(id, 'completed');
  // It was said before the end that is on record by now.
  world.runs.standings_ = [standingOf(held.id)];
  expect(await stepOf('ticket/api')).toMatchObject({ run: null, costMicros: 1_000 });
});

test('the rooms of an orchestration are below the space in which it was proposed', async () => {
  world = await World.create();
  await world.live();
  const drive = driverOf(world);
  const { id } = await drive.propose();
  await drive.approve(id);
  const { discussionSpaceId, workSpaceId, spaceId } = await drive.ended(id, 'completed');
  const rooms = world.spaces.spaces.filter((space) => [discussionSpaceId, workSpaceId].includes(space.id));
  expect(rooms).toMatchObject([{ parentSpaceId: spaceId }, { parentSpaceId: spaceId }]);
});
