import { faultWords } from '../i18n/fault-words.ts';
import { useLanguage } from '../i18n/language.ts';
import css from './fault-text.module.css';

/** What an error tells the person, in their language; the server's English behind it where that says more. */
export function FaultText({ error }: { error: unknown }) {
  const language = useLanguage((state) => state.language);
  const { text, detail } = faultWords(error, language);
  return (
    <>
      {text}
      {detail === null ? null : (
        <span lang="en" className={css.detail}>
          {' '}
          {detail}
        </span>
      )}
    </>
  );
}
