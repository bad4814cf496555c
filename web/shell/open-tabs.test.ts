import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { afterClosing, isEditor, type Tab, tabBeside, withoutTab, withTab } from './open-tabs.ts';

const tabs = (...paths: string[]): Tab[] => paths.map((path) => ({ path, title: null }));
const [A, B, C] = ['/plans/plan/a', '/plans/orchestration/b', '/runs/c'] as const;

test('plans and runs stay open, other places do not', () => {
  expect([A, B, C].every(isEditor)).toBe(true);
  expect(['/plans', '/inbox', '/inbox/apr_1', '/agents/agt_1', '/runs', '/spaces/s'].some(isEditor)).toBe(
    false,
  );
  expect(withTab(tabs(A), '/inbox')).toEqual(tabs(A));
});

test('a place is in one tab, and of too many tabs the oldest goes', () => {
  const open = tabs(A, B);
  expect(withTab(open, A)).toBe(open);
  const many = Array.from({ length: 25 }, (_, i) => `/runs/${i}`).reduce<readonly Tab[]>(withTab, []);
  expect(many.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, i) => `/runs/${i + 5}`));
});

test('closing goes to the tab that takes the place, else to the one before', () => {
  const open = tabs(A, B, C);
  expect([A, B, C].map((path) => afterClosing(open, path))).toEqual([B, C, B]);
  expect(afterClosing(tabs(A), A)).toBeNull();
});

test('stepping through all tabs comes back, and undoes itself', () => {
  const paths = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(paths, fc.nat(), (ids, at) => {
      const open = tabs(...ids.map((id) => `/runs/${id}`));
      const start = open[at % open.length]!.path;
      let path: string | null = start;
      for (const _ of open) path = tabBeside(open, path!, 1);
      expect(path).toBe(start);
      expect(tabBeside(open, tabBeside(open, start, 1)!, -1)).toBe(start);
      expect(withoutTab(open, start)).toHaveLength(open.length - 1);
    }),
  );
  expect([tabBeside(tabs(A, B), '/inbox', 1), tabBeside(tabs(A, B), '/inbox', -1)]).toEqual([A, B]);
  expect(tabBeside([], A, 1)).toBeNull();
});
