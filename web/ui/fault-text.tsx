import { useEffect, useState } from 'react';
import { faultWords, fetchFaultWords } from '../i18n/fault-words.ts';
import { type Language, useLanguage } from '../i18n/language.ts';
import css from './fault-text.module.css';

/** What an error tells the person, in their language; the server's English behind it where that says more. */
export function FaultText({ error }: { error: unknown }) {
  const language = useLanguage((state) => state.language);
  const [, setFetched] = useState<Language | null>(null);
  // What was told before somebody chose another language has no words of that one yet.
  useEffect(() => void fetchFaultWords().then(() => setFetched(language)), [language]);
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
