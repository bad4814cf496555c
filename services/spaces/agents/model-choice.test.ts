import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../kit/fault.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

/** An agent is saved only with a model that exists and an effort which that model takes. */

const MODELS = {
  defaultModel: 'swift',
  items: [
    { id: 'swift', effort: ['low', 'high'] },
    { id: 'plain', effort: [] },
  ],
};

const directory = temporaryDirectory();
let open: OpenSpaces;
let at: string;
let asked: string[] = [];
let isAway = false;

beforeAll(async () => {
  open = await openSpaces({
    dataDir: directory.path,
    listModels: async (workspaceId, actor) => {
      asked.push(`${workspaceId} ${actor}`);
      if (isAway)
        throw new Fault('unavailable', 'The service at http://runs cannot be reached.', { peer: 'x' });
      return MODELS;
    },
  });
  at = `/workspaces/${await readyWorkspace(open, 'Models')}/agents`;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const hire = (name: string, body: object) => open.call('POST', at, { name, title: 'Someone', ...body });
const settingsOf = async (id: string) => {
  const { modelId, effort, version } = (await open.call('GET', `${at}/${id}`)).body;
  return { modelId, effort, version };
};

test('a workspace is founded, and agents are hired and changed, without a look at the models', async () => {
  isAway = true;
  const { status, body } = await hire('ann', { persona: 'Kind.' });
  const changed = await open.call('PATCH', `${at}/${body.id}`, { version: 1, title: 'Other', effort: null });
  isAway = false;
  expect([status, changed.status, asked]).toEqual([201, 200, []]);
});

test('what a model takes is saved, also for the default model, and asked for in the name of the actor', async () => {
  asked = [];
  expect((await hire('ben', { modelId: 'plain' })).body).toMatchObject({ modelId: 'plain', effort: null });
  expect((await hire('cleo', { effort: 'high' })).body).toMatchObject({ modelId: null, effort: 'high' });
  expect(asked).toEqual([1, 2].map(() => `${at.split('/')[2]} ${open.person}`));
});

test.each([
  ['an unknown model', { modelId: 'gone' }, 'modelId', 'swift, plain'],
  ['an unknown effort', { modelId: 'swift', effort: 'huge' }, 'effort', 'low, high'],
  ['an effort that the default model has not', { effort: 'max' }, 'effort', 'low, high'],
  ['any effort of a model that takes none', { modelId: 'plain', effort: 'low' }, 'effort', 'takes none'],
])('%s is refused with the vocabulary, and nothing is saved', async (_name, body, path, words) => {
  const refused = await hire('dan', body);
  expect([refused.status, refused.body.code, refused.body.errors.faults[0].path]).toEqual([
    400,
    'invalid_request',
    path,
  ]);
  expect(refused.body.detail).toContain(words);
  const { items } = (await open.call('GET', at)).body;
  expect(items.some(({ name }: { name: string }) => name === 'dan')).toBe(false);
  const folder = join(directory.path, 'workspaces', at.split('/')[2] ?? '', 'agents', 'dan');
  expect(existsSync(folder)).toBe(false);
});

test('a change counts with what stays: a new model must take the effort that the agent has', async () => {
  const { id } = (await hire('eve', { modelId: 'swift', effort: 'low' })).body;
  const refused = await open.call('PATCH', `${at}/${id}`, { version: 1, modelId: 'plain' });
  expect([refused.status, await settingsOf(id)]).toEqual([
    400,
    { modelId: 'swift', effort: 'low', version: 1 },
  ]);
  const both = await open.call('PATCH', `${at}/${id}`, { version: 1, modelId: 'plain', effort: null });
  expect([both.status, await settingsOf(id)]).toEqual([200, { modelId: 'plain', effort: null, version: 2 }]);
});

test('a model that is listed no more hinders only a change of model or effort', async () => {
  const { id } = (await hire('fay', { modelId: 'plain' })).body;
  const plain = MODELS.items.pop();
  const renamed = await open.call('PATCH', `${at}/${id}`, { version: 1, title: 'Renamed' });
  const chosen = await open.call('PATCH', `${at}/${id}`, { version: 2, effort: 'low' });
  if (plain) MODELS.items.push(plain);
  expect([renamed.status, chosen.status]).toEqual([200, 400]);
});

test('while nobody can say which models there are, a choice is not saved and the same call may succeed later', async () => {
  isAway = true;
  const { status, body } = await hire('gus', { modelId: 'plain', key: 'gus' });
  isAway = false;
  expect([status, body.code, body.detail]).toEqual([
    503,
    'unavailable',
    expect.stringMatching(/nothing was saved.*cannot be reached/),
  ]);
  expect((await hire('gus', { modelId: 'plain', key: 'gus' })).status).toBe(201);
});
