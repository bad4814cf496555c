import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCctl } from '../../scripts/cli/testing/run-cctl.ts';
import { createDemoRepository, git } from '../../scripts/demo/demo-repository.ts';
import { ownerToken } from './server-process.ts';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  type World,
} from './world.ts';

const home = mkdtempSync(join(tmpdir(), 'bad-repository-'));
const ODD = `it's "odd" $(touch x) ; Ärger 漢字 \u{1f600}`;

let world: World;
let ws: string;
let ceo: string;

beforeAll(async () => {
  const work = onWord(
    'look around',
    { tools: [toolCall('list_files', {}), toolCall('git_log', {})] },
    { tools: [toolCall('write_file', { path: 'new file.txt', content: 'new\n' })] },
    { tools: [toolCall('run_command', { command: 'cat "new file.txt"' })] },
    { tools: [toolCall('git_commit', { message: 'Add a file' })] },
    { text: 'Done.' },
  );
  world = await createWorld(scriptOf(work));
  const workspace = await founded(world, 'alpha');
  ws = workspace.ws;
  ceo = workspace.agents.ceo!;
});
afterAll(async () => {
  await world.end();
  rmSync(home, { recursive: true, force: true });
});

function made(name: string, make: (path: string) => void): string {
  const path = join(home, name);
  mkdirSync(path, { recursive: true });
  make(path);
  return path;
}

const REFUSED: [string, () => string, string, string][] = [
  ['is no repository', () => made('plain', () => {}), 'not_a_repository', 'git init'],
  ['does not exist', () => join(home, 'nowhere'), 'not_a_repository', 'no such folder'],
  [
    'is bare',
    () => made('bare.git', (path) => git(path, 'init', '-q', '--bare')),
    'not_a_repository',
    'bare',
  ],
  ['has no commit', () => made('fresh', (path) => git(path, 'init', '-q')), 'not_a_repository', 'no commit'],
  [
    'is a file',
    () => made('folder', (path) => writeFileSync(join(path, 'file'), 'x')).concat('/file'),
    'not_a_repository',
    'folder',
  ],
  [
    'is a link that leads nowhere',
    () => made('links', (path) => symlinkSync('/nowhere', join(path, 'link'))).concat('/link'),
    'not_a_repository',
    'no such folder',
  ],
  [
    'lies in a .git folder',
    () => made('whole', createDemoRepository).concat('/.git'),
    'not_a_repository',
    '.git',
  ],
  ['is relative', () => 'invoices', 'invalid_request', 'absolute'],
  ['holds a NUL', () => `${home}/a\0b`, 'invalid_request', 'NUL'],
  ['is an option', () => '--upload-pack=touch x', 'invalid_request', 'absolute'],
  ['is empty', () => '', 'invalid_request', 'path'],
  ['is too long', () => `/${'x'.repeat(5_000)}`, 'invalid_request', 'path'],
];

test.each(REFUSED)(
  'a path that %s is refused with its name and how to mend it, and no space is made',
  async (_, at, code, word) => {
    const path = at();
    const { items: before } = await world.ok('GET', `${ws}/spaces`);
    const space = { name: 'x', agents: [ceo], repositories: [{ name: 'x', path }] };
    for (const [noun, body] of [
      ['spaces', space],
      ['repositories/inspect', { path }],
    ] as const) {
      const answer = await world.api('POST', `${ws}/${noun}`, body);
      const { detail } = answer.body;
      expect({ noun, code: answer.body.code }).toEqual({ noun, code });
      expect(detail).toContain(word);
      if (code === 'not_a_repository') expect(detail).toContain(path);
    }
    expect((await world.ok('GET', `${ws}/spaces`)).items).toEqual(before);
  },
);

test('a path with spaces, quotes and other scripts is as good as any', async () => {
  const path = made(ODD, createDemoRepository);
  const space = await spaceWith(world, ws, ceo, { repositories: [{ name: 'odd', path }] });
  expect(space.repositories).toEqual([{ name: 'odd', path }]);
  const run = await said(world, ws, space, 'look around');
  expect(run).toMatchObject({ status: 'completed', summary: 'Done.' });
  const results = await toolResults(world, ws, run.id);
  expect(results.filter(({ isError }) => isError)).toEqual([]);
  expect(results.find(({ name }: Json) => name === 'run_command')!.content).toContain('new');
  expect(git(path, 'log', '-1', '--format=%s', run.branch)).toBe('Add a file\n');
  expect(git(path, 'status', '--porcelain')).toBe('');
}, 20_000);

test('cctl takes such a path, and refuses the others in one line', async () => {
  const env = { CONTROL_CENTER_TOKEN: ownerToken(world.stage.dataDir), CONTROL_CENTER_URL: world.server.url };
  const good = made(`${ODD} 2`, createDemoRepository);
  const ran = await runCctl(['ask', 'look around', '--repo', good, '--mode', 'chat'], env);
  expect({ stderr: ran.stderr, exitCode: ran.exitCode }).toMatchObject({ exitCode: 0 });
  for (const name of ['plain', 'nowhere', 'bare.git', 'fresh']) {
    const refused = await runCctl(['ask', 'look around', '--repo', join(home, name)], env);
    expect(refused.exitCode).not.toBe(0);
    const lines = refused.stderr.trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(new RegExp(`^error: .*${name}`));
  }
}, 20_000);
