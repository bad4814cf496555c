import { LANGUAGES, type Language, useLanguage } from '../i18n/language.ts';
import { texts, useText } from '../i18n/text.ts';
import { useKeySettings } from '../keys/key-settings.ts';
import { ChoiceList } from '../shell/choice-list.tsx';
import { openDialog } from '../shell/dialogs.ts';
import { THEMES, useTheme } from '../shell/theme.ts';
import { Button } from '../ui/button.tsx';
import css from './panel.module.css';

const words = texts(
  {
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    keyboard: 'Keyboard',
    singles: 'Keys without Ctrl, Alt or ⌘, such as G I for the inbox',
    singlesHint: 'Turn them off if you speak to your computer or press keys by accident.',
    keys: 'Show all keys',
    here: 'These hold for this browser.',
  },
  {
    theme: 'Thème',
    themes: { system: 'Comme le système', light: 'Clair', dark: 'Sombre' },
    language: 'Langue',
    keyboard: 'Clavier',
    singles: 'Touches sans Ctrl, Alt ni ⌘, comme G I pour la boîte de réception',
    singlesHint: 'Désactivez-les si vous dictez à votre ordinateur ou appuyez parfois par mégarde.',
    keys: 'Afficher toutes les touches',
    here: 'Ces réglages valent pour ce navigateur.',
  },
);

/** How the app looks and listens in this browser. */
export function Appearance() {
  const t = useText(words);
  const { theme, choose } = useTheme();
  const { language, choose: speak } = useLanguage();
  const { hasSingleKeys, setSingleKeys } = useKeySettings();
  return (
    <div className={`${css.stack} ${css.narrow}`}>
      <p className={css.soft}>{t.here}</p>
      <ChoiceList
        legend={t.theme}
        value={theme}
        choices={THEMES.map((value) => ({ value, label: t.themes[value] }))}
        onChoose={choose}
      />
      <ChoiceList
        legend={t.language}
        value={language}
        choices={(Object.keys(LANGUAGES) as Language[]).map((value) => ({ value, label: LANGUAGES[value] }))}
        onChoose={speak}
      />
      <div>
        <h2>{t.keyboard}</h2>
        <label className={css.check}>
          <input
            type="checkbox"
            checked={hasSingleKeys}
            onChange={({ target }) => setSingleKeys(target.checked)}
          />
          {t.singles}
        </label>
        <div className={css.row}>
          <p className={css.soft}>{t.singlesHint}</p>
          <Button onClick={() => openDialog({ kind: 'keys' })}>{t.keys}</Button>
        </div>
      </div>
    </div>
  );
}
