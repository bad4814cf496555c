import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topLevel, unseenByAgents } from './local-repository.ts';

let place = '';
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'cctl-repository-')));
  Bun.spawnSync(['git', 'init', '-q', join(place, 'app')]);
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

test('a repository is found from anywhere inside it, and nowhere else', async () => {
  mkdirSync(join(place, 'app', 'src'));
  expect(await topLevel('src', join(place, 'app'))).toBe(join(place, 'app'));
  expect(await topLevel(place, '/')).toBe(null);
  expect(await topLevel(join(place, 'nowhere'), '/')).toBe(null);
});

test('what is not committed is told, and a checkout that agents do not start from', async () => {
  const app = join(place, 'app');
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', '-C', app, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
  git('commit', '-q', '--allow-empty', '-m', 'x');
  git('branch', '-M', 'main');
  git('switch', '-q', '-c', 'feature');
  expect(await unseenByAgents(app)).toEqual([]);
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  writeFileSync(join(app, 'new.txt'), 'new');
  expect(await unseenByAgents(app)).toEqual([
    'Agents do not see what is not committed here.',
    'Agents start from main, not from feature that is checked out.',
  ]);
  git('switch', '-q', 'main');
  expect(await unseenByAgents(app)).toEqual(['Agents do not see what is not committed here.']);
});
