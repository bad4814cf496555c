import { typesetFrench } from './french.ts';
import { type Language, useLanguage } from './language.ts';

/** Every language has the same words: what is a function in one is a function of the same arguments in the other. */
type Same<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => string
    ? (...args: A) => string
    : T[K] extends object
      ? Same<T[K]>
      : string;
};

export type Texts<T> = Record<Language, Same<T>>;

/**
 * The words of one part of the app, in English and French; they stand beside the part. Text with a value in it is a function:
 * `waiting: (n: number) => …`, and says its own plural.
 */
export function texts<T extends object>(en: T, fr: Same<T>): Texts<T> {
  return { en: en as Same<T>, fr: typesetFrench(fr) };
}

/** The words of a part in the person's language. */
export function useText<T>(words: Texts<T>): Same<T> {
  return words[useLanguage(({ language }) => language)];
}

/** `3 agents`, each language by its own rule: French has the singular for 0 too. */
export function plural(n: number, one: string, other: string): string {
  const { language } = useLanguage.getState();
  const isOne = new Intl.PluralRules(language).select(n) === 'one';
  return `${n.toLocaleString(language)} ${isOne ? one : other}`;
}
