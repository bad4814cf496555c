import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readSse, type SseMessage } from '../../services/kit/read-sse.ts';
import { ownerToken, type ServerProcess, startServerProcess } from './server-process.ts';
import { createStage, type Stage } from './stage.ts';
import { SERVICE_TOKEN, startThree } from './three-processes.ts';
import { call, type Json, onWord, scriptOf, toolCall, until } from './world.ts';

let stage: Stage;
let servers: ServerProcess[];
let ws: string;
let ceo: string;

beforeAll(async () => {
  stage = createStage(
    scriptOf(
      onWord('ask-me', { tools: [toolCall('ask_user', { question: 'Which?' })] }, { text: 'Thanks.' }),
    ),
  );
  servers = await startThree(stage.env);
  const { id } = await ok('POST', '/api/workspaces', { name: 'shop' });
  ws = `/api/workspaces/${id}`;
  await until(
    () => ok('GET', ws),
    ({ state }) => state === 'ready',
  );
  const { items } = await ok('GET', `${ws}/agents`);
  ceo = items.find(({ name }: Json) => name === 'ceo').id;
}, 30_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await stage.remove();
});

const headers = () => ({ authorization: `Bearer ${ownerToken(stage.dataDir)}` });

async function ok(method: string, path: string, body?: unknown, at = 0): Promise<Json> {
  const answer = await call(servers[at]!.url, method, path, body, headers());
  if (answer.status < 300) return answer.body;
  throw new Error(`${at} ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** What presence told of the agent at one process, in order, without repeats; the stream goes on until `end`. */
async function follow(at: number) {
  const leaving = new AbortController();
  const response = await fetch(`${servers[at]!.url}${ws}/presence/stream`, {
    ...{ headers: headers(), signal: leaving.signal },
  });
  expect(response.status).toBe(200);
  const told: string[] = [];
  const people: string[] = [];
  const take = ({ data }: SseMessage) => {
    const { items, changed } = JSON.parse(data) as { items?: Json[]; changed?: Json[] };
    for (const item of items ?? changed ?? []) {
      if (item.kind === 'person') people.push(item.actor);
      const state = item.activity === null ? 'unknown' : item.activity?.state;
      if (item.actor === `agent:${ceo}` && state !== told.at(-1)) told.push(state);
    }
  };
  const reading = (async () => {
    for await (const message of readSse(response.body!)) take(message);
  })().catch((error: unknown) => {
    if (!leaving.signal.aborted) told.push(String(error));
  });
  return {
    ...{ told, people },
    end: () => {
      leaving.abort();
      return reading;
    },
  };
}

/** The process of runs at the address that it had. */
function startRunsAgain(): Promise<ServerProcess> {
  const [spaces, runs, orchestration] = servers.map(({ url }) => url);
  return startServerProcess({
    ...stage.env,
    ...{ SPACES_URL: spaces!, RUNS_URL: runs!, ORCHESTRATION_URL: orchestration!, SERVICES: 'runs' },
    ...{ CONTROL_CENTER_PORT: new URL(runs!).port, CONTROL_CENTER_SERVICE_TOKEN: SERVICE_TOKEN },
  });
}

const last = (told: readonly string[]) => async () => told.at(-1);

test('three processes tell the same of people and agents, and go on when runs was away', async () => {
  const followers = await Promise.all([0, 1, 2].map(follow));
  for (const { told, people } of followers) {
    await until(last(told), (state) => state === 'neverRun');
    expect(people).toEqual([`person:${(await ok('GET', '/api/me')).member.id}`]);
  }
  const space = await ok('POST', `${ws}/spaces`, { name: 'room', agents: [ceo] });
  await ok('POST', `${ws}/conversations/${space.mainConversationId}/messages`, { body: 'ask-me' });
  for (const { told } of followers) await until(last(told), (state) => state === 'waitingForApproval');
  for (const at of [0, 1, 2]) {
    const { items } = await ok('GET', `${ws}/presence`, undefined, at);
    expect(items.map(({ kind }: Json) => kind)).toEqual(['person', ...Array(5).fill('agent')]);
    const found = items.find(({ actor }: Json) => actor === `agent:${ceo}`);
    expect(found.activity).toMatchObject({ state: 'waitingForApproval', spaceId: space.id });
    const states = await ok('GET', `${ws}/live-states`, undefined, at);
    expect(states.items.find(({ agentId }: Json) => agentId === ceo)).toMatchObject({ state: 'running' });
  }

  // The process of runs dies, and comes back at the same address.
  const before = followers[0]!.told.length;
  await servers[1]!.kill();
  await until(last(followers[0]!.told), (state) => state === 'unknown');
  servers[1] = await startRunsAgain();
  await until(last(followers[0]!.told), (state) => state === 'waitingForApproval');
  expect(followers[0]!.told.slice(before)).toEqual(['unknown', 'waitingForApproval']);

  const { items } = await ok('GET', `${ws}/approvals?status=pending`);
  const [{ id, digest }] = items;
  await ok('POST', `${ws}/approvals/${id}/decision`, { decision: 'approved', answer: 'That.', digest });
  for (const at of [0, 2]) await until(last(followers[at]!.told), (state) => state === 'done');
  await Promise.all(followers.map(({ end }) => end()));
}, 60_000);
