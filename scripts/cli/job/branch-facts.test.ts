import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { branchFacts, shellWord } from './branch-facts.ts';

let repository = '';
beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "cctl branch's-"));
  git('init', '-q', '-b', 'main');
  // Of the repository: a merge needs an identity too, and the machine may have none.
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.com');
  git('config', 'commit.gpgsign', 'false');
  commit('a.txt', 'one');
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

function git(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['git', '-C', repository, ...args]);
  if (exitCode !== 0) throw new Error(stderr.toString());
}

function commit(file: string, content: string): void {
  writeFileSync(join(repository, file), content);
  git('add', '.');
  git('commit', '-q', '-m', file);
}

test('a branch is told by what it changed since it left what is checked out', async () => {
  git('checkout', '-q', '-b', 'work');
  commit('b.txt', 'two\n');
  git('checkout', '-q', 'main');
  commit('c.txt', 'three\n');
  const { stat, mergeCommand } = await branchFacts(repository, 'work');
  expect(stat?.split('\n')).toEqual([' b.txt | 1 +', ' 1 file changed, 1 insertion(+)']);
  const merged = Bun.spawnSync(['sh', '-c', `${mergeCommand} --no-commit`]);
  expect(merged.stderr.toString() + merged.stdout.toString()).toContain('went well');
});

test('what cannot be seen from here is null, not empty', async () => {
  expect((await branchFacts(repository, 'nowhere')).stat).toBe(null);
  expect((await branchFacts('/nonexistent/repository', 'work')).stat).toBe(null);
  expect((await branchFacts(repository, 'main')).stat).toBe('');
});

test('a shell word is quoted only when it must be', () => {
  expect(shellWord('/srv/app-1.0')).toBe('/srv/app-1.0');
  expect(shellWord("it's $HOME")).toBe(`'it'\\''s $HOME'`);
});
