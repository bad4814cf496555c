import { afterEach, expect, test } from 'bun:test';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import { runCctl } from '../../scripts/cli/testing/run-cctl.ts';
import type { ScriptedTurn } from '../model/script.ts';
import { ownerToken } from './server-process.ts';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  post,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  until,
  type World,
} from './world.ts';

/** Cases from the field of runs, each against a real server process that is killed. */

let world: World;
afterEach(() => world.end());

async function begin(script: Parameters<typeof createWorld>[0], more: Json = {}) {
  world = await createWorld(script);
  const { ws, agents } = await founded(world, 'cases');
  const repositories = [{ name: 'app', path: world.stage.repository }];
  const space = await spaceWith(world, ws, agents.ceo as string, { repositories, ...more });
  return { ws, space };
}

const runsOf = async (ws: string): Promise<Json[]> => (await world.ok('GET', `${ws}/runs?limit=500`)).items;
const ended = (ws: string, id: string) =>
  until(
    () => world.ok('GET', `${ws}/runs/${id}`),
    ({ endedAt }) => endedAt !== null,
  );

/** Ids of the processes whose command line has this word. */
function processesWith(word: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const isOver = readFileSync(join('/proc', pid, 'stat'), 'utf8').includes(') Z ');
      return (
        !isOver &&
        readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
          .split('\0')
          .includes(word)
      );
    } catch {
      return false;
    }
  });
}

test('restarting three times leaves the processes of one call, a cancel none, and each next request is valid', async () => {
  const seconds = `${50_000 + Math.floor(Math.random() * 10_000)}.5`;
  const works = ({ messages }: Json): ScriptedTurn => ({
    tools: [
      toolCall('run_command', {
        command: `: ${messages.length}; setsid -f sleep ${seconds}; nohup sleep ${seconds} >/dev/null & sleep ${seconds}`,
      }),
    ],
  });
  const { ws, space } = await begin({ name: 'works', dialogues: [], otherwise: works });
  await post(world, ws, space, 'work');
  const ofOneCall = 3;
  for (let restart = 0; restart <= 3; restart++) {
    // The call that the dead server had begun is told of as interrupted, and its processes are gone.
    await until(
      async () => [world.model.requests.length, processesWith(seconds).length],
      ([asked, processes]) => (asked ?? 0) > restart && processes === ofOneCall,
    );
    if (restart < 3) await world.restart();
  }
  const [run, ...others] = await runsOf(ws);
  expect(others).toEqual([]);
  const results = await toolResults(world, ws, run?.id);
  expect(results.map(({ content }) => content.slice(0, 24))).toEqual(
    Array(3).fill('This call was interrupte'),
  );
  await world.ok('POST', `${ws}/runs/${run?.id}/cancel`);
  await until(
    async () => processesWith(seconds),
    (left) => left.length === 0,
    5_000,
  );
  expect(world.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
}, 90_000);

test('two triggers in the same millisecond start one run a key, and one at a time on a checkout', async () => {
  const { ws, space } = await begin(scriptOf(onWord('go', { text: 'Done.', delayMs: 100 })));
  const at = `${ws}/conversations/${space.mainConversationId}/messages`;
  const say = (key: string) => world.ok('POST', at, { body: 'go', key, delivery: 'queue' });
  const run = {
    agentId: space.agents[0],
    conversationId: space.mainConversationId,
    prompt: 'go',
    key: 'same',
  };
  const start = () => world.ok('POST', `${ws}/runs`, { ...run, trigger: { kind: 'assignment' } });
  await Promise.all([say('one'), say('one'), say('two'), say('two'), start(), start()]);
  const items = await until(
    () => runsOf(ws),
    (runs) => runs.length >= 3 && runs.every(({ endedAt }) => endedAt !== null),
  );
  expect(items.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  const times = items.map(({ startedAt, endedAt }) => [startedAt, endedAt]).toSorted(([a], [b]) => a - b);
  for (const [index, [startedAt]] of times.slice(1).entries()) {
    expect(startedAt).toBeGreaterThanOrEqual(times[index]?.[1]);
  }
}, 60_000);

for (const point of ['run.wait:before', 'run.wait:after', 'run.end:before', 'run.end:after']) {
  test(`a parent resumes once with the failure of its sub-agent, killed at ${point}`, async () => {
    const { ws, space } = await begin(
      scriptOf(
        onWord('the-part', { text: 'No.', stopReason: 'refusal' }),
        onWord('whole', { tools: [toolCall('run_subagent', { task: 'the-part' })] }, { text: 'I go on.' }),
      ),
    );
    await world.restart({ CONTROL_CENTER_CRASH_AT: `${point}#1` });
    const key = 'whole';
    const at = `${ws}/conversations/${space.mainConversationId}/messages`;
    await world.api('POST', at, { body: 'whole', key }).catch(() => undefined);
    await world.server.exited;
    await world.restart();
    await world.ok('POST', at, { body: 'whole', key });
    const items = await until(
      () => runsOf(ws),
      (runs) => runs.length === 2 && runs.every(({ endedAt }) => endedAt !== null),
    );
    const root = items.find(({ parentRunId }) => parentRunId === null);
    expect(root).toMatchObject({ status: 'completed', output: { text: 'I go on.' } });
    const results = await toolResults(world, ws, root?.id);
    expect(results).toEqual([expect.objectContaining({ name: 'run_subagent', isError: true })]);
    expect(world.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
  }, 60_000);
}

test('a person steers a run, takes it over, hands it back and lets it end, on the command line', async () => {
  const wait = 'touch begun; while [ ! -f go ]; do sleep 0.05; done';
  const { ws, space } = await begin(
    scriptOf(
      onWord('work', { tools: [toolCall('run_command', { command: wait })] }, { text: 'Steered, and done.' }),
    ),
  );
  const env = { CONTROL_CENTER_TOKEN: ownerToken(world.stage.dataDir) };
  const cctl = async (...args: string[]) => {
    const ran = await runCctl(['runs', ...args, '--url', world.server.url], env);
    expect([args[0], ran.exitCode, ran.stderr]).toEqual([args[0], 0, '']);
    return ran.stdout;
  };
  await post(world, ws, space, 'work');
  const begun = await until(
    async () => [...new Glob('**/begun').scanSync(world.stage.dataDir)][0],
    (path) => path !== undefined,
  );
  const tree = dirname(join(world.stage.dataDir, begun as string));
  const [run] = await runsOf(ws);
  await cctl('steer', run?.id, 'In blue, please.');
  const taking = cctl('takeover', run?.id);
  await until(
    () => world.ok('GET', `${ws}/runs/${run?.id}`),
    ({ takenOverBy }) => takenOverBy !== null,
  );
  writeFileSync(join(tree, 'go'), '');
  expect(await taking).toContain(`app: ${tree}`);
  appendFileSync(join(tree, 'by-hand.txt'), 'mine\n');
  await cctl('handback', run?.id, '--note', 'Keep by-hand.txt.');
  expect(await ended(ws, run?.id)).toMatchObject({
    status: 'completed',
    output: { text: 'Steered, and done.' },
  });
  const last = JSON.stringify(world.model.requests.at(-1)?.body.messages.at(-1));
  for (const text of ['> In blue, please.', '> Keep by-hand.txt.', 'changed by-hand.txt']) {
    expect(last).toContain(text);
  }
  expect((await runsOf(ws)).length).toBe(1);
  const { items } = await world.ok('GET', `${ws}/runs/${run?.id}/entries?limit=500`);
  const causes = items.flatMap(({ entry }: Json) => (entry.kind === 'user' ? [entry.cause] : []));
  expect(causes.toSorted()).toEqual(['handback', 'message', 'prompt']);
}, 60_000);
