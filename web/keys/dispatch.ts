import { type KeybindingPress, matchKeybindingPress, parseKeybinding } from 'tinykeys';

/** Between two presses of a sequence such as `g i`. */
const SEQUENCE_MS = 1_000;

export interface Dispatchable {
  keys: string;
  /** A key that is held down counts again and again. */
  repeats?: boolean;
}

/**
 * Finds what a press means among all bindings. Of several that match, the longest sequence wins, then the one bound last; one that
 * may not run gives way to the next.
 */
export class KeyDispatch<B extends Dispatchable> {
  readonly #progress = new Map<B, number>();
  readonly #presses = new Map<string, readonly KeybindingPress[]>();
  #lastAt = 0;

  /** @param at time of the press in ms @returns what is to run, or null */
  press(event: KeyboardEvent, bindings: readonly B[], mayRun: (binding: B) => boolean, at: number): B | null {
    if (event.isComposing || MODIFIERS.has(event.key)) return null;
    if (at - this.#lastAt > SEQUENCE_MS) this.#progress.clear();
    this.#lastAt = at;
    const complete = bindings.filter((binding) => this.#advance(binding, event));
    const wanted = complete.toReversed().sort((a, b) => this.#of(b.keys).length - this.#of(a.keys).length);
    const found = wanted.find(mayRun) ?? null;
    if (found) this.#progress.clear();
    return found;
  }

  /** Whether the press ends the binding's keys. */
  #advance(binding: B, event: KeyboardEvent): boolean {
    const presses = this.#of(binding.keys);
    const done = this.#progress.get(binding) ?? 0;
    this.#progress.delete(binding);
    if (event.repeat && !binding.repeats) return false;
    if (matches(event, presses[done])) return this.#step(binding, done + 1, presses.length);
    // The press that breaks a sequence may begin it anew: `g g i`.
    return done > 0 && matches(event, presses[0]) && this.#step(binding, 1, presses.length);
  }

  #step(binding: B, done: number, length: number): boolean {
    if (done === length) return true;
    this.#progress.set(binding, done);
    return false;
  }

  #of(keys: string): readonly KeybindingPress[] {
    const known = this.#presses.get(keys);
    if (known) return known;
    const presses = parseKeybinding(keys);
    this.#presses.set(keys, presses);
    return presses;
  }
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph']);

function matches(event: KeyboardEvent, press: KeybindingPress | undefined): boolean {
  if (press === undefined) return false;
  if (matchKeybindingPress(event, press)) return true;
  // Some layouts have `[` only with AltGr; there the character is what counts.
  const [required, optional, key] = press;
  return (
    event.getModifierState('AltGraph') &&
    matchKeybindingPress(event, [['AltGraph', ...required], optional, key])
  );
}

/** Whether the keys are plain characters, which a person may turn off. */
export function isSingleKey(keys: string): boolean {
  return parseKeybinding(keys).every(
    ([required, , key]) =>
      required.every((name) => name === 'Shift') && typeof key === 'string' && key.length === 1,
  );
}
