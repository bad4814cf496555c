import { texts, useText } from '../../i18n/text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import css from '../markdown.module.css';
import { ScrollingText } from '../scrolling-text.tsx';

const words = texts(
  { copy: 'Copy the code', code: (language: string) => `Code${language ? `, ${language}` : ''}` },
  { copy: 'Copier le code', code: (language: string) => `Code${language ? `, ${language}` : ''}` },
);

/** Scrolls sideways by itself, also by the keyboard. */
export function CodeBlock({ text, language }: { text: string; language: string }) {
  const t = useText(words);
  return (
    <figure className={css.code}>
      <figcaption>
        <span>{language}</span>
        <CopyButton isIcon label={t.copy} text={() => text} />
      </figcaption>
      <ScrollingText label={t.code(language)} className={css.codeText}>
        <code>{visibleText(text.replace(/\n+$/, ''))}</code>
      </ScrollingText>
    </figure>
  );
}
