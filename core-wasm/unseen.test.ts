import { expect, test } from 'bun:test';
import { validatePlan } from './plan.ts';
import { nameKey, unseenFault, withoutUnseen } from './unseen.ts';

test.each([
  ['pay\u202eeciovni', 'U+202E as character 4'],
  ['\u{1f600}a\u200bb', 'U+200B as character 3'],
  ['tag\u{e0041}', 'U+E0041 as character 4'],
  ['\ufeffmark', 'U+FEFF as character 1'],
  ['soft\u00adhyphen', 'U+00AD as character 5'],
  ['\u200d\ufe0f', 'must not be blank'],
  ['\u2800\u{e0100}', 'must not be blank'],
  ['Mara\u200d', 'U+200D as character 5'],
  ['Mara\u034f', 'U+034F as character 5'],
  ['rm\u115fit', 'U+115F as character 3'],
])('%j is refused, with the place', (line, fault) => {
  expect(unseenFault(line)).toContain(fault);
});

test.each([
  '\u{1f469}\u200d\u{1f4bb} at work \u2764\ufe0f',
  'می\u200cخواهم',
  'Čeština, 中文, עברית',
  'a\u00a0b',
])('%j is what it seems', (line) => {
  expect([unseenFault(line), withoutUnseen(line)]).toEqual([null, line]);
});

test('two names that look the same are the same', () => {
  const same = ['Zo\u00eb A', 'zoe\u0308\u00a0A', ' ZOE\u0308  a\ufe0f', '\uff3ao\u00eb A'];
  expect(new Set(same.map(nameKey)).size).toBe(1);
  expect(nameKey('Zoe A')).not.toBe(nameKey('Zo\u00eb A'));
});

test('a title of a plan with one is one fault with its path; its description may have it', () => {
  const node = { key: 'a', title: 'Do\u202e it', description: 'As \u202e it is.', needs: [] };
  expect(validatePlan({ goal: 'Goal \u202e', nodes: [node] })).toEqual({
    ok: false,
    faults: [
      { path: 'nodes[0].title', code: 'invalid', message: expect.stringContaining('U+202E as character 3') },
    ],
  });
  expect(validatePlan({ goal: 'Goal \u202e', nodes: [{ ...node, title: 'Do it' }] }).ok).toBe(true);
});
