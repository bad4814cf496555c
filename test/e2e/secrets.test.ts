import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  post,
  runOf,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  until,
  type World,
} from './world.ts';

const MODEL_KEY = 'sk-ant-the-key-of-the-model-of-this-test';
const SERVICE_TOKEN = 'the-token-of-the-services-of-this-test';
const SAID = `${MODEL_KEY} and ${SERVICE_TOKEN}`;
const PLAN = { goal: SAID, nodes: [{ key: 'a', title: SAID, description: SAID, needs: [] }] };

/** Everything in which an agent speaks to people, or leaves something behind. */
const TELLING = [
  toolCall('post_message', { body: SAID }),
  toolCall('create_ticket', { title: SAID, description: SAID, labels: [MODEL_KEY] }),
  toolCall(`no-${MODEL_KEY}`, {}),
  toolCall('submit_plan', PLAN),
  toolCall('run_subagent', { task: `inner-task ${SAID}` }),
  toolCall('run_command', { command: `echo ${SAID}; cat ~/.netrc` }),
];

let world: World;
let ws: string;
let ceo: string;

beforeAll(async () => {
  world = await createWorld(
    scriptOf(
      onWord('inner-task', { text: SAID }),
      onWord('refused', { fault: { kind: 'status', status: 401, message: `No: ${SAID}`, times: Infinity } }),
      onWord('tell', { text: SAID, tools: TELLING }, { text: SAID }),
      onWord('leave', { tools: [toolCall('exit_plan_mode', { summary: SAID })] }, { text: SAID }),
      onWord(
        'ask',
        { tools: [toolCall('ask_user', { question: SAID, choices: [SAID, 'no'] })] },
        { text: SAID },
      ),
      onWord(
        'break',
        { text: SAID, tools: [toolCall('read_file', { path: SAID })], fault: { kind: 'broken_tool_json' } },
        { text: SAID },
      ),
    ),
    { ANTHROPIC_API_KEY: MODEL_KEY, CONTROL_CENTER_SERVICE_TOKEN: SERVICE_TOKEN },
  );
  const workspace = await founded(world, 'secrets');
  ws = workspace.ws;
  ceo = workspace.agents.ceo!;
});
afterAll(() => world.end());

const room = (more: Json = {}) =>
  spaceWith(world, ws, ceo, { repositories: [{ name: 'app', path: world.stage.repository }], ...more });

/** What the paths answer, by path. */
async function shownAt(paths: readonly string[]): Promise<[string, string][]> {
  const answers = await Promise.all(paths.map((path) => world.ok('GET', `${ws}${path}`)));
  return paths.map((path, i) => [path, JSON.stringify(answers[i])]);
}

test('what an agent says of a key of the server stands nowhere but as redacted', async () => {
  const rooms = [await room(), await room({ mode: 'plan' }), await room(), await room()];
  const runs: Json[] = [];
  for (const [i, word] of ['tell', 'leave', 'ask', 'break'].entries())
    runs.push(await said(world, ws, rooms[i] as Json, `${word} it`));
  const all = await until(
    async () => (await world.ok('GET', `${ws}/runs?limit=500`)).items as Json[],
    (items) => items.every(({ status, liveness }) => status === 'completed' || liveness === 'waiting'),
  );
  expect(all.length).toBe(5);
  const shown = await shownAt([
    ...['/events?limit=1000', '/audit?limit=500', '/approvals?limit=500', '/inbox', '/tickets?limit=500'],
    ...['/runs?limit=500', '/plans', '/orchestrations'],
    ...all.map(({ id }) => `/runs/${id}/entries?limit=500`),
    ...rooms.map(({ mainConversationId: id }) => `/conversations/${id}/messages?limit=500`),
  ]);
  for (const [path, text] of shown)
    for (const secret of [MODEL_KEY, SERVICE_TOKEN])
      expect([path, text.includes(secret)]).toEqual([path, false]);
  expect(shown.filter(([, text]) => text.includes('[redacted]')).length).toBeGreaterThan(10);
}, 60_000);

test('nor does what the model server says of it', async () => {
  const space = await room();
  const run = await said(world, ws, space, 'refused');
  expect(run).toMatchObject({ status: 'paused', errorFamily: 'authentication' });
  const shown = await shownAt([
    ...[
      '/events?limit=1000',
      `/runs/${run.id}`,
      `/conversations/${space.mainConversationId}/messages?limit=500`,
    ],
  ]);
  for (const [path, text] of [...shown, ['the log', world.server.stderr()] as const])
    for (const secret of [MODEL_KEY, SERVICE_TOKEN])
      expect([path, text.includes(secret)]).toEqual([path, false]);
  expect(run.summary).toContain('[redacted]');
});

test('what a person says of one is told to no model', async () => {
  const space = await room();
  const before = world.model.requests.length;
  const { message } = await post(world, ws, space, `Is ${MODEL_KEY} the key?`);
  expect((await runOf(world, ws, message.id)).status).toBe('completed');
  const asked = JSON.stringify(world.model.requests.slice(before).map(({ body }) => body));
  expect([asked.includes('Is [redacted] the key?'), asked.includes(MODEL_KEY)]).toEqual([true, false]);
});
