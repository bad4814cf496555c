import { expect, setDefaultTimeout, test } from 'bun:test';
import type { Proposal } from '../../core-wasm/core.ts';
import { driverOf } from './doubles/driver.ts';
import { answerScript, proposalOf, World } from './doubles/world.ts';

setDefaultTimeout(300_000);

/** The whole life of a small orchestration, each part repeated as a client that got no answer repeats it. */
async function live(
  world: World,
  proposal: Proposal,
  dropAt: number,
): Promise<{ points: string[]; id: string }> {
  let life = await world.live(dropAt);
  const points = life.points;
  const again = async <T>(what: () => Promise<T>): Promise<T> => {
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
  const { id } = await again(() => drive.propose({ proposal, key: 'the-proposal' }));
  await again(() => drive.approve(id).catch((error) => acceptDecided(error)));
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
  };
}

async function observed(proposal: Proposal, dropAt: number) {
  const world = await World.create({ repository: true, script: answerScript() });
  try {
    const { points, id } = await live(world, proposal, dropAt);
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

test('after a crash at every kind of commit and outward call, everything is made exactly once', async () => {
  const whole = await observed(SMALL, Number.POSITIVE_INFINITY);
  expect(whole.result).toMatchObject({
    agents: ['ceo', 'engineer', 'tess'],
    deliverable: '# The whole',
    gaps: [],
  });
  const kinds = new Map<string, number>();
  whole.points.forEach((point, i) => {
    if (!kinds.has(point)) kinds.set(point, i + 1);
  });
  expect(kinds.size).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const [point, dropAt] of kinds) {
    const { result } = await observed(SMALL, dropAt);
    if (!Bun.deepEquals(result, whole.result)) wrong.push(`${point}: ${JSON.stringify(result)}`);
  }
  expect(wrong).toEqual([]);
});

test('after a crash at passes all over a larger plan, everything is made exactly once', async () => {
  const whole = await observed(proposalOf(), Number.POSITIVE_INFINITY);
  const step = Math.ceil(whole.points.length / 24);
  for (let dropAt = 5; dropAt < whole.points.length; dropAt += step) {
    const { result } = await observed(proposalOf(), dropAt);
    expect(result, `dropped at ${whole.points[dropAt - 1]} (${dropAt})`).toEqual(whole.result);
  }
});
