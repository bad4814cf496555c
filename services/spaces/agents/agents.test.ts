import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;
let ws: string;
let at: string;
let root: string;
let failAt: string | null = null;

beforeAll(async () => {
  const onPoint = (name: string) => {
    if (name === failAt) throw new Error(`stopped at ${name}`);
  };
  open = await openSpaces({ dataDir: directory.path, onPoint });
  ws = await readyWorkspace(open, 'Agents');
  at = `/workspaces/${ws}/agents`;
  root = join(directory.path, 'workspaces', ws, 'agents');
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const hire = (body: object) => open.call('POST', at, { title: 'Someone', ...body });
const names = async () =>
  (await open.call('GET', at)).body.items.map(({ name }: { name: string }) => name).sort();
const agentsMd = (name: string) => readFileSync(join(root, name, 'AGENTS.md'), 'utf8');
const links = (name: string) => readdirSync(join(root, name, '.agents', 'skills')).sort();

test('a new workspace has a chief and four who report to it, without adapter or model, each with a directory', async () => {
  const { items } = (await open.call('GET', at)).body;
  const chief = items.find(({ name }: { name: string }) => name === 'ceo');
  expect(items.map((agent: { name: string }) => agent.name)).toEqual([
    'ceo',
    'qa',
    'architect',
    'engineer',
    'librarian',
  ]);
  for (const agent of items) {
    expect(agent).toMatchObject({
      adapterId: null,
      modelId: null,
      reportsTo: agent === chief ? null : chief.id,
    });
    expect(agentsMd(agent.name)).toContain(agent.persona);
  }
});

test('row and directory say the same: persona, instructions, a link for each skill', async () => {
  const skills = ['Tidy', 'tidy', 'deep-research', '../up', 'Two words'];
  const { body } = await hire({ name: 'ann', persona: 'Kind.', systemPrompt: 'Be brief.', skills });
  expect(body.skills).toEqual(['Tidy', 'deep-research', '../up', 'Two words']);
  expect(agentsMd('ann')).toBe(
    '# Someone (ann)\n\nKind.\n\n## Agent instructions\n\nBe brief.\n\n## Skills\n\n- Tidy\n- deep-research\n- ../up\n- Two words\n',
  );
  expect(links('ann')).toEqual(['deep-research', 'tidy']);
  const target = readlinkSync(join(root, 'ann', '.agents', 'skills', 'tidy'));
  expect(join(root, 'ann', '.agents', 'skills', target)).toBe(join(root, '..', 'skills', 'tidy'));
  const changed = await open.call('PATCH', `${at}/${body.id}`, {
    version: 1,
    skills: ['other'],
    persona: 'Firm.',
  });
  expect(changed.body).toMatchObject({ version: 2, skills: ['other'], persona: 'Firm.' });
  expect([links('ann'), agentsMd('ann').includes('Firm.')]).toEqual([['other'], true]);
});

test('a new name moves the directory', async () => {
  const { body } = await hire({ name: 'bea' });
  const renamed = await open.call('PATCH', `${at}/${body.id}`, { version: 1, name: 'beatrix' });
  expect(renamed.body.name).toBe('beatrix');
  expect([existsSync(join(root, 'bea')), existsSync(join(root, 'beatrix', 'AGENTS.md'))]).toEqual([
    false,
    true,
  ]);
});

describe('adversarial names are refused and touch no file', () => {
  const bad = [
    '..',
    '.',
    '',
    '/',
    'a/b',
    '../x',
    'a\\b',
    'QA',
    'Qa',
    'qa ',
    'a_b',
    '-a',
    'a-',
    'a--b',
    'a.b',
    'ä',
    'a\0b',
    'а',
    'x'.repeat(65),
    '.staged-x',
    'a\n',
    '~',
    '$HOME',
    '%2e%2e',
  ];
  for (const name of bad) {
    test(JSON.stringify(name.slice(0, 12)), async () => {
      const before = [readdirSync(root).sort(), await names()];
      const answer = await hire({ name });
      expect([answer.status, answer.body.errors.faults[0].path]).toEqual([400, 'name']);
      expect([readdirSync(root).sort(), await names()]).toEqual(before);
    });
  }
});

test('a taken name is a conflict that leaves the holder as it was', async () => {
  const before = agentsMd('qa');
  const answer = await hire({ name: 'qa', persona: 'An impostor' });
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  expect(agentsMd('qa')).toBe(before);
  const { body } = await hire({ name: 'carl' });
  expect((await open.call('PATCH', `${at}/${body.id}`, { version: 1, name: 'qa' })).status).toBe(409);
  expect([agentsMd('qa'), existsSync(join(root, 'carl'))]).toEqual([before, true]);
});

test('a circle of superiors is refused and named', async () => {
  const { items } = (await open.call('GET', at)).body;
  const [ceo, qa] = ['ceo', 'qa'].map((name) => items.find((agent: { name: string }) => agent.name === name));
  const answer = await open.call('PATCH', `${at}/${ceo.id}`, { version: ceo.version, reportsTo: qa.id });
  expect([answer.status, answer.body.errors.cycle]).toEqual([400, ['ceo', 'qa', 'ceo']]);
  const self = await open.call('PATCH', `${at}/${ceo.id}`, { version: ceo.version, reportsTo: ceo.id });
  expect(self.body.errors.cycle).toEqual(['ceo', 'ceo']);
  expect((await open.call('PATCH', `${at}/${ceo.id}`, { version: 1, reportsTo: 'agt_none' })).status).toBe(
    404,
  );
});

test('a stale version is refused and leaves row and files as they were', async () => {
  const { body } = await hire({ name: 'dora', persona: 'First' });
  await open.call('PATCH', `${at}/${body.id}`, { version: 1, persona: 'Second' });
  const stale = await open.call('PATCH', `${at}/${body.id}`, { version: 1, persona: 'Third' });
  expect([stale.status, stale.body.code]).toEqual([409, 'conflict']);
  expect(agentsMd('dora')).toContain('Second');
});

describe('a failure of either half leaves neither changed', () => {
  test('the row cannot be written', async () => {
    const { body } = await hire({ name: 'eve', persona: 'Before' });
    for (const point of ['agent.create:before', 'agent.change:before']) {
      failAt = point;
      await (point.includes('create')
        ? hire({ name: 'fay' })
        : open.call('PATCH', `${at}/${body.id}`, { version: 1, name: 'evelyn', persona: 'After' }));
    }
    failAt = null;
    expect(await names()).not.toContain('fay');
    expect(['fay', 'evelyn'].map((name) => existsSync(join(root, name)))).toEqual([false, false]);
    expect(agentsMd('eve')).toContain('Before');
  });

  test('the files cannot be written', async () => {
    const kept = `${root}.kept`;
    renameSync(root, kept);
    writeFileSync(root, 'a file where the folder should be');
    const answer = await hire({ name: 'gil' });
    rmSync(root);
    renameSync(kept, root);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect([await names(), readdirSync(root)].flat()).not.toContain('gil');
    expect((await open.events(ws, 'agent.created')).some(({ data }) => data.name === 'gil')).toBe(false);
    expect((await hire({ name: 'gil' })).status).toBe(201);
  });
});

test('links planted in an agent’s directory are replaced, never followed', async () => {
  const outside = join(directory.path, 'outside');
  mkdirSync(outside);
  const { body } = await hire({ name: 'hal', skills: ['one'] });
  rmSync(join(root, 'hal'), { recursive: true });
  symlinkSync(outside, join(root, 'hal'));
  const change = (version: number, skills: string[]) =>
    open.call('PATCH', `${at}/${body.id}`, { version, skills });
  expect((await change(1, ['two'])).status).toBe(200);
  expect([lstatSync(join(root, 'hal')).isDirectory(), readdirSync(outside), links('hal')]).toEqual([
    true,
    [],
    ['two'],
  ]);
  rmSync(join(root, 'hal', '.agents'), { recursive: true });
  symlinkSync(outside, join(root, 'hal', '.agents'));
  expect((await change(2, ['three'])).status).toBe(200);
  expect([readdirSync(outside), links('hal')]).toEqual([[], ['three']]);
});

test('a start makes the directories follow the rows, and keeps files that are not its own', async () => {
  rmSync(join(root, 'qa'), { recursive: true });
  writeFileSync(join(root, 'architect', 'AGENTS.md'), 'something else');
  mkdirSync(join(root, 'ghost', '.agents', 'skills'), { recursive: true });
  writeFileSync(join(root, 'ghost', 'AGENTS.md'), 'never committed');
  mkdirSync(join(root, '.staged-left'));
  mkdirSync(join(root, 'keeper'));
  writeFileSync(join(root, 'keeper', 'notes.txt'), 'a person put this here');
  await open.spaces.start();
  expect(agentsMd('qa')).toContain('Quality Engineer');
  expect(agentsMd('architect')).toContain('Architect');
  expect(readFileSync(join(root, 'keeper', 'notes.txt'), 'utf8')).toContain('a person');
  expect(readdirSync(root).filter((name) => ['ghost', '.staged-left'].includes(name))).toEqual([]);
});
