import { useLanguage } from '../i18n/language.ts';
import { texts, useText } from '../i18n/text.ts';
import { everywhereText } from '../keys/everywhere.ts';
import type { KeyBinding } from '../keys/registry.ts';
import { notifyFailure } from '../ui/notices.tsx';
import { openDialog } from './dialogs.ts';
import { signOut } from './sign-out.ts';
import { useTheme } from './theme.ts';

const words = texts(
  {
    newWorkspace: 'New workspace',
    themes: { system: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' },
    languages: { en: 'Language: English', fr: 'Langue : français' },
    out: 'Sign out',
  },
  {
    newWorkspace: 'Nouvel espace de travail',
    themes: { system: 'Thème : comme le système', light: 'Thème : clair', dark: 'Thème : sombre' },
    languages: { en: 'Language: English', fr: 'Langue : français' },
    out: 'Se déconnecter',
  },
);

interface PaletteAction {
  id: string;
  label: string;
  /** Of which screen or part it is; null where it can be done everywhere. */
  group: string | null;
  keys: string | null;
  run(): void;
}

/** What can be done now: what has a key, and what is too rare for one. */
export function usePaletteActions(bindings: readonly KeyBinding[]): PaletteAction[] {
  const t = useText(words);
  const { everywhere } = useText(everywhereText);
  const choose = useTheme((state) => state.choose);
  const { language, choose: speak } = useLanguage();
  const other = language === 'en' ? 'fr' : 'en';
  const rare: [string, () => void][] = [
    [t.newWorkspace, () => openDialog({ kind: 'newWorkspace' })],
    [t.themes.system, () => choose('system')],
    [t.themes.light, () => choose('light')],
    [t.themes.dark, () => choose('dark')],
    [t.languages[other], () => speak(other)],
    [t.out, () => void signOut().catch(notifyFailure)],
  ];
  return [
    // What is bound last belongs to the screen that is up.
    ...[...Map.groupBy(bindings, ({ group }) => group).values()]
      .toReversed()
      .flat()
      .map(({ keys, label, group, run }) => ({
        ...{ id: `${keys} ${label}`, label, group: group === everywhere ? null : group, keys },
        run: () => run(new KeyboardEvent('keydown')),
      })),
    ...rare.map(([label, run]) => ({ id: label, label, group: null, keys: null, run })),
  ];
}
