import { afterEach, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedRunner } from './embedded.ts';
import { createFixture, type Fixture } from './repository-fixture.ts';

let fixture: Fixture;
afterEach(() => fixture.remove());

test('a repository is found from a folder in it, with its branch, head and state', async () => {
  fixture = await createFixture({ 'deep/file.txt': 'x\n' });
  const runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  const head = fixture.git('rev-parse', 'HEAD');
  const facts = { path: fixture.source.path, defaultBranch: 'main', head, dirty: false };
  expect(await runner.inspectRepository(join(fixture.source.path, 'deep'))).toEqual(facts);
  await Bun.write(join(fixture.source.path, 'new.txt'), 'x');
  expect(await runner.inspectRepository(fixture.source.path)).toEqual({ ...facts, dirty: true });
});

test('what worktrees cannot be made from is refused with how to mend it', async () => {
  fixture = await createFixture();
  const runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  const at = (name: string) => join(fixture.root, name);
  mkdirSync(at('plain'));
  fixture.git('init', '-q', '--bare', at('bare'));
  fixture.git('init', '-q', at('empty'));
  const cases: [string, RegExp][] = [
    [at('plain'), /not in a git repository.*git init/],
    [at('bare'), /bare repository.*Clone it/],
    [at('empty'), /no commit yet/],
    [at('missing'), /no such folder/],
    [join(fixture.source.path, '.git'), /inside a \.git folder/],
  ];
  for (const [path, message] of cases) {
    const refusal = expect(runner.inspectRepository(path)).rejects;
    await refusal.toMatchObject({ code: 'not_a_repository', message: expect.stringMatching(message) });
  }
  await expect(runner.inspectRepository('relative')).rejects.toMatchObject({ code: 'invalid_request' });
});

test("a repository's own settings run no program of their choice", async () => {
  fixture = await createFixture();
  const trace = join(fixture.root, 'ran');
  fixture.git('config', 'core.fsmonitor', `touch ${trace}; false`);
  fixture.git('config', 'core.hooksPath', fixture.root);
  await Bun.write(join(fixture.root, 'post-checkout'), `#!/bin/sh\ntouch ${trace}\n`);
  Bun.spawnSync(['chmod', '+x', join(fixture.root, 'post-checkout')]);
  const runner = createEmbeddedRunner({ dataDir: fixture.dataDir });
  await runner.inspectRepository(fixture.source.path);
  await runner.openWorktree(fixture.opening());
  await runner.gitStatus(fixture.ref());
  expect(await Bun.file(trace).exists()).toBe(false);
});
