import { EFFECT_CLASSES, EffectClass } from '../../../../core-wasm/core.ts';

/** Every class a shell can have. */
export const SHELL_EFFECTS: readonly EffectClass[] = EFFECT_CLASSES;

/** Classes written as a list with blanks, for tables. Throws a ZodError for a name that is none. */
export function effectsOf(list: string): EffectClass[] {
  return list.split(' ').flatMap((name) => (name === '' ? [] : [EffectClass.parse(name)]));
}

export const byOrder = (effects: ReadonlySet<EffectClass>): EffectClass[] =>
  EFFECT_CLASSES.filter((effect) => effects.has(effect));
