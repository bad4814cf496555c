import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { repositoryName } from './start-job.ts';

test.each([
  ['/srv/My_App', 'my-app'],
  ['/srv/--x--/', 'x'],
  ['/srv/日本', 'repository'],
  ['/', 'repository'],
])('the repository at %s is named %s', (path, name) => expect(repositoryName(path)).toBe(name));

test('every path gives a slug', () => {
  fc.assert(
    fc.property(fc.string(), (path) => {
      const name = repositoryName(path);
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(name.length).toBeLessThanOrEqual(64);
    }),
  );
});
