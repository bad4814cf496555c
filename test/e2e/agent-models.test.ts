import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ownerToken, type ServerProcess } from './server-process.ts';
import { createStage, type Stage } from './stage.ts';
import { startThree } from './three-processes.ts';
import { type Answer, call, type Json, scriptOf, until } from './world.ts';

/** What an agent may be set to is known by another process than the one that keeps agents. */

let stage: Stage;
let servers: ServerProcess[];
let agents: string;

beforeAll(async () => {
  stage = createStage(scriptOf());
  servers = await startThree(stage.env);
  const { body } = await api('POST', '/api/workspaces', { name: 'shop' });
  agents = `/api/workspaces/${body.id}/agents`;
  await until(
    () => api('GET', `/api/workspaces/${body.id}`),
    (answer) => answer.body.state === 'ready',
  );
}, 30_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await stage.remove();
});

function api(method: string, path: string, body?: unknown): Promise<Answer> {
  const authorization = `Bearer ${ownerToken(stage.dataDir)}`;
  return call(servers[0]!.url, method, path, body, { authorization });
}

const hire = (name: string, more: object) => api('POST', agents, { name, title: 'Someone', ...more });
const names = async (): Promise<string[]> =>
  (await api('GET', agents)).body.items.map(({ name }: Json) => name);

test('a model and an effort are looked up where the runs are', async () => {
  const { body: listed } = await api('GET', agents.replace(/agents$/, 'models'));
  const [known] = listed.items;
  expect((await hire('fits', { modelId: known.id })).status).toBe(201);
  const unknown = await hire('stray', { modelId: 'no-such-model' });
  expect([unknown.status, unknown.body.detail]).toEqual([400, expect.stringContaining(known.id)]);
  const effort = await hire('stray', { effort: 'immense' });
  expect([effort.status, effort.body.code]).toEqual([400, 'invalid_request']);
  expect(await names()).not.toContain('stray');
});

test('while the runs are away a choice is not saved, and whatever chooses nothing is', async () => {
  servers[1]!.kill();
  await servers[1]!.exited;
  const choosing = await hire('chooser', { effort: 'low' });
  expect([choosing.status, choosing.body.code]).toEqual([503, 'unavailable']);
  expect((await hire('content', {})).status).toBe(201);
  const all = await names();
  expect([all.includes('chooser'), all.includes('content')]).toEqual([false, true]);
}, 60_000);
