import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isSingleKey, KeyDispatch } from './dispatch.ts';

interface Press {
  key: string;
  mods?: readonly string[];
  repeat?: boolean;
}

const event = ({ key, mods = [], repeat = false }: Press) =>
  ({
    ...{ key, code: '', repeat, isComposing: false },
    getModifierState: (name: string) => mods.includes(name),
  }) as unknown as KeyboardEvent;

interface Bound {
  keys: string;
  repeats?: boolean;
}

/** Presses keys one after the other and tells what each meant. */
function play(
  bindings: readonly Bound[],
  presses: readonly (Press & { at?: number })[],
  mayRun = (_: Bound) => true,
) {
  const dispatch = new KeyDispatch<Bound>();
  return presses.map(
    (press, i) => dispatch.press(event(press), bindings, mayRun, press.at ?? i * 100)?.keys ?? null,
  );
}

const bound = (...keys: string[]): Bound[] => keys.map((one) => ({ keys: one }));

describe('what a press means', () => {
  test('one key, a modifier, a sequence', () => {
    expect(play(bound('f', '$mod+k', 'g i'), [{ key: 'f' }])).toEqual(['f']);
    expect(play(bound('$mod+k'), [{ key: 'k' }, { key: 'k', mods: ['Control'] }])).toEqual([null, '$mod+k']);
    expect(play(bound('g i'), [{ key: 'g' }, { key: 'i' }, { key: 'i' }])).toEqual([null, 'g i', null]);
  });

  test('a sequence is over after a second, and begins anew with its first key', () => {
    expect(
      play(bound('g i'), [
        { key: 'g', at: 0 },
        { key: 'i', at: 1_500 },
      ]),
    ).toEqual([null, null]);
    expect(play(bound('g i'), [{ key: 'g' }, { key: 'g' }, { key: 'i' }])).toEqual([null, null, 'g i']);
    expect(play(bound('g i'), [{ key: 'g' }, { key: 'x' }, { key: 'i' }])).toEqual([null, null, null]);
  });

  test('the sequence wins over the single key at its end, the later binding over the earlier', () => {
    expect(play(bound('i', 'g i'), [{ key: 'g' }, { key: 'i' }])).toEqual([null, 'g i']);
    const [first, second] = [{ keys: 'a' }, { keys: 'a' }];
    const dispatch = new KeyDispatch<Bound>();
    expect(dispatch.press(event({ key: 'a' }), [first, second], () => true, 0)).toBe(second);
    expect(dispatch.press(event({ key: 'a' }), [first, second], (one) => one === first, 1)).toBe(first);
  });

  test('modifiers alone do not break a sequence; a held key counts once unless it repeats', () => {
    expect(
      play(bound('g [Shift]+?'), [{ key: 'g' }, { key: 'Shift' }, { key: '?', mods: ['Shift'] }]),
    ).toEqual([...[null, null, 'g [Shift]+?']]);
    expect(play(bound('j'), [{ key: 'j' }, { key: 'j', repeat: true }])).toEqual(['j', null]);
    expect(play([{ keys: 'j', repeats: true }], [{ key: 'j' }, { key: 'j', repeat: true }])).toEqual([
      'j',
      'j',
    ]);
  });

  test('a character that needs AltGr on the layout is that character', () => {
    expect(play(bound('['), [{ key: '[', mods: ['AltGraph'] }])).toEqual(['[']);
  });

  test('what may not run never does, whatever is pressed', () => {
    const keys = fc.constantFrom('a', 'b', 'g', 'i');
    const bindings = bound('a', 'b', 'g i', 'g a', 'a b', 'i');
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 20 }), fc.subarray(bindings), (pressed, allowed) => {
        const run = play(
          bindings,
          pressed.map((key) => ({ key })),
          (one) => allowed.includes(one),
        );
        const names = allowed.map((one) => one.keys);
        for (const [at, name] of run.entries()) {
          if (name === null) continue;
          expect(names).toContain(name);
          // What ran is what was pressed last.
          expect(pressed.slice(0, at + 1).join(' ')).toEndWith(name);
        }
      }),
    );
  });
});

test('which keys are plain characters', () => {
  expect(['f', 'g i', '[', '[Shift]+?', 'Shift+d'].map(isSingleKey)).toEqual([true, true, true, true, true]);
  expect(['$mod+k', 'Escape', 'ArrowUp', 'Alt+x', 'Enter'].map(isSingleKey)).toEqual([
    ...[false, false, false, false, false],
  ]);
});
