import { Suspense, useState } from 'react';
import { Markdown } from '../conversation/markdown.tsx';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Loading } from '../ui/states.tsx';
import css from './agent.module.css';
import { formText } from './form-text.ts';

interface MarkdownFieldProps {
  label: string;
  hint: string;
  error: string | null;
  value: string;
  onChange(value: string): void;
  name: string;
}

/** Markdown to write, and to look at as it will be read. */
export function MarkdownField({ label, hint, error, value, onChange, name }: MarkdownFieldProps) {
  const t = useText(formText);
  const { cannotChange } = useMe();
  const [isPreview, setPreview] = useState(false);
  return (
    <div className={css.markdown}>
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <textarea
            {...control}
            readOnly={cannotChange !== null}
            name={name}
            rows={6}
            hidden={isPreview}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      {isPreview ? (
        <section className={css.preview} aria-label={`${t.preview}: ${label}`}>
          {value.trim() === '' ? (
            <p className={css.soft}>{t.nothingToShow}</p>
          ) : (
            <Suspense fallback={<Loading />}>
              <Markdown text={value} />
            </Suspense>
          )}
        </section>
      ) : null}
      <Button
        kind="quiet"
        className={css.toggle}
        aria-pressed={isPreview}
        aria-label={`${t.preview}: ${label}`}
        onClick={() => setPreview(!isPreview)}
      >
        {t.preview}
      </Button>
    </div>
  );
}
