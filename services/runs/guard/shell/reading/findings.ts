import type { EffectClass } from '../../../../../core-wasm/core.ts';
import { byOrder, SHELL_EFFECTS } from '../effects.ts';

export interface Finding {
  effect: EffectClass;
  /** One short sentence fit for people. */
  because: string;
}

const REASONS_PER_CLASS = 3;
const MAX_SHOWN = 80;

/** What was read of a line so far. */
export class Findings {
  understood = true;
  readonly list: Finding[] = [];
  private readonly counts = new Map<EffectClass, number>();

  add(effects: readonly EffectClass[], because: string): void {
    for (const effect of effects) {
      const count = this.counts.get(effect) ?? 0;
      if (count >= REASONS_PER_CLASS || this.list.some((f) => f.effect === effect && f.because === because))
        continue;
      this.counts.set(effect, count + 1);
      this.list.push({ effect, because });
    }
  }

  /** Something that would run cannot be read, so it may be anything. */
  addEverything(because: string): void {
    this.understood = false;
    this.add(SHELL_EFFECTS, because);
  }

  /** Adds what was gathered apart. */
  absorb(other: Findings): void {
    this.understood &&= other.understood;
    for (const { effect, because } of other.list) this.add([effect], because);
  }

  get classes(): EffectClass[] {
    return byOrder(new Set(this.counts.keys()));
  }
}

/** Text of the line in one row, without what could hide or turn it, cut to a length that people read. */
export function shownText(text: string): string {
  const row = text
    .slice(0, MAX_SHOWN * 4)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...row];
  return characters.length <= MAX_SHOWN ? row : `${characters.slice(0, MAX_SHOWN - 1).join('')}…`;
}
