import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  post,
  scriptOf,
  spaceWith,
  toolCall,
  until,
  type World,
} from './world.ts';

/** A lead delegates to one who delegates further; both go on when they are told. */
const SCRIPT = scriptOf(
  onWord('"Outer", which you delegated', { text: 'All is done.' }),
  onWord('"Inner", which you delegated', { text: 'Outer is done.' }),
  // Long enough that who delegated has ended before: one that is at work would be told without a run.
  onWord('INNER-TASK', { text: 'Inner is done.', delayMs: 1_500 }),
  onWord(
    'OUTER-TASK',
    { tools: [toolCall('create_ticket', { title: 'Inner', assignee: 'qa', description: 'INNER-TASK' })] },
    { text: 'Waiting.' },
  ),
  onWord(
    'begin now',
    {
      tools: [toolCall('create_ticket', { title: 'Outer', assignee: 'engineer', description: 'OUTER-TASK' })],
    },
    { text: 'Begun.' },
  ),
);

/** `ALL_CRASH_POINTS=1` kills at every pass of these; else at half of those of tickets and some of the rest. */
const everyPoint = Boolean(process.env.ALL_CRASH_POINTS);
const POINTS = /^(ticket\.(create|delegationBegin|delegationEnd)|run\.(create|end|message)):/;

let world: World;
let ws: string;
let lead: string;
beforeAll(async () => {
  world = await createWorld(SCRIPT);
  const found = await founded(world, 'Crash');
  ws = found.ws;
  lead = found.agents.ceo as string;
}, 60_000);
afterAll(() => world.end());

const get = (path: string): Promise<Json> => world.ok('GET', `${ws}/${path}`);

/** All that came of it, without ids and times. */
async function outcomeIn(space: Json): Promise<unknown> {
  const { items: tickets } = await get(`tickets?spaceId=${space.id}`);
  const whole = await Promise.all(tickets.map(({ id }: Json) => get(`tickets/${id}`)));
  const { items: messages } = await get(`conversations/${space.mainConversationId}/messages`);
  return {
    runs: (await runsIn(space))
      .map(
        ({ trigger, agentName, status, output }) => `${trigger.kind} ${agentName} ${status}: ${output?.text}`,
      )
      .sort(),
    tickets: whole.map(({ title, status, comments, delegations }) => ({
      ...{ title, status, comments: comments.map(({ body }: Json) => body) },
      delegations: delegations.map(({ number, outcome }: Json) => `${number} ${outcome}`),
    })),
    messages: messages.map(({ body }: Json) => body),
  };
}

const runsIn = async (space: Json): Promise<Json[]> =>
  (await get('runs?limit=500')).items.filter(({ spaceId }: Json) => spaceId === space.id);

const EXPECTED = {
  runs: [
    'assignment engineer completed: Waiting.',
    'assignment qa completed: Inner is done.',
    'childCompleted ceo completed: All is done.',
    'childCompleted engineer completed: Outer is done.',
    'userMessage ceo completed: Begun.',
  ],
  tickets: [
    { title: 'Outer', status: 'done', comments: ['Outer is done.'], delegations: ['1 completed'] },
    { title: 'Inner', status: 'done', comments: ['Inner is done.'], delegations: ['1 completed'] },
  ],
  messages: ['begin now', 'Begun.', 'All is done.'],
};

/** The whole of it in a server that is started with `env`, and again without when it dies. */
async function played(env: Record<string, string>): Promise<{ outcome: unknown; died: boolean }> {
  const space = await spaceWith(world, ws, lead);
  await world.restart(env);
  const { exited } = world.server;
  const life = { died: false };
  void exited.then(() => {
    life.died = true;
  });
  // A server that dies under a call leaves it without an answer, though what it asked for is there.
  const unlessDying = async (error: unknown): Promise<[]> => {
    if (!life.died && (await Promise.race([exited, Bun.sleep(2_000)])) === undefined) throw error;
    return [];
  };
  await post(world, ws, space, 'begin now').catch(unlessDying);
  const isOver = (runs: Json[]) => runs.length >= 5 && runs.every(({ endedAt }) => endedAt !== null);
  await until(
    () => runsIn(space).catch(unlessDying),
    (runs) => life.died || isOver(runs),
  );
  const { died } = life;
  if (died) {
    await world.restart();
    await until(() => runsIn(space), isOver);
  }
  // Whatever were to come twice had come by the time that another run has passed through the same listener.
  const later = await spaceWith(world, ws, lead);
  await post(world, ws, later, 'anything else');
  await until(
    () => runsIn(later),
    ([run]) => run?.endedAt != null,
  );
  return { outcome: await outcomeIn(space), died };
}

function passesOf(log: string): string[] {
  const counts = new Map<string, number>();
  const passes = log
    .trim()
    .split('\n')
    .map((name) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return `${name}#${count}`;
    });
  return passes.filter((pass) => POINTS.test(pass));
}

test('killed around any of its commits, delegated work comes to the same end, each part once', async () => {
  const log = join(world.stage.dataDir, 'points');
  expect(await played({ CONTROL_CENTER_POINT_LOG: log })).toEqual({ outcome: EXPECTED, died: false });
  // The last passes are of the run that came later.
  const passes = passesOf(readFileSync(log, 'utf8')).filter(
    (pass) => !/^run\.(message:\w+#[4-9]|(create|end):\w+#[6-9])/.test(pass),
  );
  const chosen = passes.filter((pass, i) => everyPoint || i % (pass.startsWith('ticket.') ? 2 : 8) === 0);
  expect(chosen.length).toBeGreaterThan(6);
  const wrong: Record<string, unknown> = {};
  for (const point of chosen) {
    const { outcome, died } = await played({ CONTROL_CENTER_CRASH_AT: point }).catch(
      async (error: unknown) => {
        const said = world.server.stderr();
        await world.restart();
        return { outcome: `${String(error)}\n${said}`, died: true };
      },
    );
    if (!died || !Bun.deepEquals(outcome, EXPECTED)) wrong[point] = died ? outcome : 'never reached';
  }
  expect(wrong).toEqual({});
}, 600_000);
