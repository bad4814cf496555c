import { useEffect } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { useText } from '../i18n/text.ts';
import css from './composer.module.css';
import { modName } from './send-button.tsx';
import { composerText } from './text.ts';
import type { ComposerState } from './use-composer.ts';

/** More than its greatest height shows: it need not grow with each key, which takes long with a long text. */
const LONG_CHARS = 6_000;

/** The field itself: it grows with its text, and names what the list of suggestions has chosen. */
export function ComposerField({
  composer,
  placeholder,
}: {
  composer: ComposerState;
  placeholder: string | undefined;
}) {
  const t = useText(composerText);
  const { id, field, space, draft, sending, completion, keys, files, mode } = composer;
  const { cannotChange, enterSends, isThread, isEditing, onTyped } = composer;
  const { open } = completion;
  const isNew = useHistoryState<{ isNew?: boolean } | null>()?.isNew === true;
  useEffect(() => {
    if (isNew && !isThread) field.current?.focus();
  }, [isNew, isThread, field]);
  const isLong = draft.text.length > LONG_CHARS;
  const usual = isThread ? t.placeholderThread : t.placeholder(space.name);
  return (
    <div className={css.grow} data-text={isLong ? undefined : draft.text} data-long={isLong || undefined}>
      <textarea
        ref={field}
        className={css.field}
        rows={1}
        value={draft.text}
        readOnly={cannotChange !== null || (isEditing && sending.isPending)}
        placeholder={cannotChange ?? placeholder ?? usual}
        aria-label={t.field}
        aria-describedby={`${id}-how`}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={open ? `${id}-list` : undefined}
        aria-activedescendant={open ? `${id}-list-${open.active}` : undefined}
        onChange={({ target }) => {
          sending.change({ text: target.value });
          onTyped();
          completion.follow(target);
        }}
        // The browser tells of a selection alone, not of a caret that moves.
        onSelect={({ currentTarget }) => completion.follow(currentTarget)}
        onKeyUp={({ currentTarget }) => completion.follow(currentTarget)}
        onClick={({ currentTarget }) => completion.follow(currentTarget)}
        onKeyDown={(event) => {
          if (!completion.onKeyDown(event)) keys.onKeyDown(event);
        }}
        onBlur={() => {
          completion.close();
          keys.disarm();
        }}
        onPaste={files.onPaste}
      />
      <p id={`${id}-how`} hidden>
        {enterSends ? t.enterSends : t.modEnterSends(modName())} {mode === 'review' ? '' : t.modeKeys}{' '}
        {t.upEdits}
      </p>
    </div>
  );
}
