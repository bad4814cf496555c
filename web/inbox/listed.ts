import { useLanguage } from '../i18n/language.ts';

/** `Mara`, `Mara and Ida`, `Mara, Ida, and Jo`, as the person's language has it. */
export function listed(parts: readonly string[]): string {
  const { language } = useLanguage.getState();
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(parts);
}
