import { expect, setDefaultTimeout, test } from 'bun:test';
import type { Mode, Proposal } from '../../core-wasm/core.ts';
import { type Driver, driverOf } from './doubles/driver.ts';
import type { MemoryMessage } from './doubles/memory-spaces.ts';
import { answerScript, nodeOf, proposalOf, World } from './doubles/world.ts';

setDefaultTimeout(300_000);

type Again = <T>(what: () => Promise<T>) => Promise<T>;

/** What people and agents do, each part to be repeated as a client that got no answer repeats it; gives the id. */
type Course = (drive: Driver, again: Again) => Promise<string>;

/** A small orchestration is proposed and approved. */
const proposed =
  (proposal: Proposal): Course =>
  async (drive, again) => {
    const { id } = await again(() => drive.propose({ proposal, key: 'the-proposal' }));
    await again(() => drive.approve(id).catch((error) => acceptDecided(error)));
    return id;
  };

/** A plan is submitted, sent back, revised by its agent, and approved. */
const planned: Course = async (drive, again) => {
  const { id } = await again(() => drive.plan([nodeOf('first')], { key: 'the-plan' }));
  await again(() => drive.requestChanges(id, 'Two of them').catch((error) => acceptDecided(error)));
  const nodes = [nodeOf('one'), nodeOf('two', 'one')];
  await again(() => drive.plan(nodes, { planId: id, key: 'the-revision' }));
  await again(() => drive.approve(id, 2).catch((error) => acceptDecided(error)));
  return id;
};

/** A part is approved; once nothing else goes on, one of the deferred tickets is left out and the other approved. */
const inParts: Course = async (drive, again) => {
  const { id } = await again(() => drive.propose({ proposal: CHAIN, key: 'the-parts' }));
  await again(() => drive.approvePart(id, 'one').catch((error) => acceptDecided(error)));
  await again(() => drive.stepIs(id, 'gate/two', 'waiting'));
  await again(() => drive.skip(id, 'gate/three').catch((error) => acceptDecided(error)));
  await again(() => drive.approveDeferred(id, ['two']).catch((error) => acceptDecided(error)));
  return id;
};

async function live(world: World, course: Course, dropAt: number): Promise<{ points: string[]; id: string }> {
  let life = await world.live(dropAt);
  const points = life.points;
  const again: Again = async (what) => {
    const dropped = life.dropped.then(() => Promise.reject(new Error('dropped')));
    dropped.catch(() => undefined);
    try {
      return await Promise.race([what(), dropped]);
    } catch (error) {
      if (points.length < dropAt || points !== life.points) throw error;
      await world.drop();
      life = await world.live();
      return again(what);
    }
  };
  const drive = driverOf(world);
  const id = await course(drive, again);
  await again(async () => void (await drive.ended(id, 'completed')));
  return { points, id };
}

/** The decision may have been taken before the answer was lost. */
function acceptDecided(error: unknown): void {
  const { code } = error as { code?: string };
  if (code !== 'already_decided' && code !== 'wrong_status') throw error;
}

/** How often each thing was made; whatever the crash, it is once. */
function made(world: World) {
  const { spaces, runs } = world;
  const count = (keys: string[]) => keys.toSorted();
  return {
    agents: count(spaces.agents.map((one) => one.name)),
    rooms: spaces.spaces.length,
    threads: spaces.conversations.length,
    messages: count(spaces.messages.map((one) => one.kind)),
    tickets: count(spaces.tickets.map((one) => `${one.title}: ${one.status}, ${one.comments.length}`)),
    projects: spaces.projects.length,
    teams: spaces.teams.length,
    approvals: count(spaces.approvals.map((one) => one.status)),
    runs: count(runs.runs.map((run) => `${runs.stepOf(run)}: ${run.status}`)),
    commits: runs.commits.length,
    integrations: runs.integrations.length,
    modeChanges: spaces.modeChanges.map(({ mode }) => mode),
    cards: spaces.messages.filter(({ kind }) => kind === 'proposal' || kind === 'plan').map(cardStatus),
  };
}

function cardStatus({ data: { status, revision } }: MemoryMessage) {
  return { status, revision };
}

async function observed(course: Course, dropAt: number, mode: Mode = 'orchestrate') {
  const world = await World.create({ repository: true, script: answerScript(), mode });
  try {
    const { points, id } = await live(world, course, dropAt);
    const detail = await driverOf(world).detail(id);
    const ends = (await world.events())
      .map((event) => event.type)
      .filter((type) => /^orchestration|pipeline/.test(type));
    const { spentMicros, deliverable, gaps } = detail;
    return { points, result: { ...made(world), ends, spentMicros, deliverable, gaps } };
  } finally {
    await world.end();
  }
}

const [first] = proposalOf().tickets;
const SMALL = proposalOf({
  research: null,
  tickets: [first!],
  roles: [proposalOf().roles[1]!],
  discussion: null,
});
Object.assign(SMALL.tickets[0]!, { role: 'tester' });
SMALL.synthesis.role = 'tester';

const chained = (key: string, ...needs: string[]) => ({ ...SMALL.tickets[0]!, key, title: key, needs });
const CHAIN: Proposal = {
  ...SMALL,
  tickets: [chained('one'), chained('two', 'one'), chained('three', 'two')],
};

/** The first pass of each kind of point, from 1. */
function firstPasses(points: readonly string[]): Map<string, number> {
  const kinds = new Map<string, number>();
  points.forEach((point, i) => {
    if (!kinds.has(point)) kinds.set(point, i + 1);
  });
  return kinds;
}

/** `ALL_CRASH_POINTS=1` drops on both sides of each kind of commit and call; else before one and after the next, in turn. */
const bothSides = Boolean(process.env.ALL_CRASH_POINTS);

function inTurn(points: ReadonlyMap<string, number>): Map<string, number> {
  if (bothSides) return new Map(points);
  const kinds = Map.groupBy(points, ([point]) => point.replace(/:(before|after)$/, ''));
  return new Map([...kinds.values()].map((sides, i) => sides[i % sides.length] as [string, number]));
}

/** What differs from the undisturbed life after a crash at each of the points. */
async function differences(
  course: Course,
  mode: Mode,
  points: ReadonlyMap<string, number>,
  expected: object,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [point, dropAt] of inTurn(points)) {
    const { result } = await observed(course, dropAt, mode);
    if (!Bun.deepEquals(result, expected)) wrong.push(`${point}: ${JSON.stringify(result)}`);
  }
  return wrong;
}

test('after a crash at every kind of commit and outward call, everything is made exactly once', async () => {
  const course = proposed(SMALL);
  const whole = await observed(course, Number.POSITIVE_INFINITY);
  expect(whole.result).toMatchObject({
    agents: ['ceo', 'engineer', 'tess'],
    deliverable: '# The whole',
    gaps: [],
  });
  const kinds = firstPasses(whole.points);
  expect(kinds.size).toBeGreaterThan(60);
  expect(await differences(course, 'orchestrate', kinds, whole.result)).toEqual([]);
});

test('the same for a plan that is sent back, revised and approved, and its space is returned exactly once', async () => {
  const whole = await observed(planned, Number.POSITIVE_INFINITY, 'plan');
  expect(whole.result).toMatchObject({
    ...{ deliverable: '# The whole', modeChanges: ['chat'], approvals: ['approved', 'refused'] },
    cards: [{ status: 'completed', revision: 2 }],
  });
  const kinds = firstPasses(whole.points);
  for (const label of ['requestChanges', 'revise', 'returnSpace', 'spaceReturned', 'approve'])
    expect([...kinds.keys()]).toContain(`orchestration.${label}:before`);
  expect(await differences(planned, 'plan', kinds, whole.result)).toEqual([]);
});

test('the same for a part that is approved, and what was deferred approved later or left out', async () => {
  const whole = await observed(inParts, Number.POSITIVE_INFINITY);
  expect(whole.result).toMatchObject({
    deliverable: '# The whole',
    gaps: ['ticket/three (three): Left out by a person.'],
    tickets: ['Build the thing: done, 1', 'one: done, 1', 'three: cancelled, 0', 'two: done, 1'],
  });
  expect(whole.result.runs).not.toContain('ticket/three: completed');
  const kinds = firstPasses(whole.points);
  for (const label of [
    'orchestration.approveDeferred',
    'orchestration.leaveOut',
    'step.waive',
    'step.suspend',
  ])
    expect([...kinds.keys()]).toContain(`${label}:before`);
  expect(await differences(inParts, 'orchestrate', kinds, whole.result)).toEqual([]);
  expect(await differences(inParts, 'orchestrate', lastSignals(whole.points), whole.result)).toEqual([]);
});

/** The passes of the gates' signals that come after the first, which is that of a run. */
function lastSignals(points: readonly string[]): Map<string, number> {
  const passes = points.flatMap((point, i) => (point.startsWith('step.signal:') ? [i + 1] : []));
  return new Map(passes.slice(2).map((at) => [`${points[at - 1]} (${at})`, at]));
}

test('after a crash at passes all over a larger plan, everything is made exactly once', async () => {
  const course = proposed(proposalOf());
  const whole = await observed(course, Number.POSITIVE_INFINITY);
  const step = Math.ceil(whole.points.length / (bothSides ? 24 : 12));
  for (let dropAt = 5; dropAt < whole.points.length; dropAt += step) {
    const { result } = await observed(course, dropAt);
    expect(result, `dropped at ${whole.points[dropAt - 1]} (${dropAt})`).toEqual(whole.result);
  }
});
