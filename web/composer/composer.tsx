import { X } from 'lucide-react';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { useAddressHint } from './address-hint.ts';
import { AttachmentTray } from './attachment-tray.tsx';
import { CompletionList } from './completion-list.tsx';
import css from './composer.module.css';
import { ComposerBar } from './composer-bar.tsx';
import { ComposerField } from './composer-field.tsx';
import { composerText } from './text.ts';
import { type ComposerPlace, type ComposerState, namesOf, useComposer } from './use-composer.ts';

interface ComposerProps extends ComposerPlace {
  placeholder?: string;
}

/** Where a person writes into a conversation. One of another conversation is another composer: give it that as its key. */
export function Composer({ placeholder, ...place }: ComposerProps) {
  const t = useText(composerText);
  const composer = useComposer(place);
  const { ws, conversationId, id, field, setSaid, isEditing, completion, files, sending } = composer;
  return (
    <section
      className={css.composer}
      aria-label={t.composer}
      data-dropping={files.isOver || undefined}
      {...files.drop}
    >
      {completion.open ? <CompletionList id={`${id}-list`} completion={completion.open} /> : null}
      <div className={css.box}>
        {isEditing ? (
          <EditingBanner onCancel={sending.cancelEdit} />
        ) : (
          <AttachmentTray
            ws={ws}
            conversationId={conversationId}
            onSaid={setSaid}
            onRemoved={() => field.current?.focus()}
          />
        )}
        <ComposerField composer={composer} placeholder={placeholder} />
        <ComposerBar composer={composer} />
      </div>
      <ComposerNotes composer={composer} />
    </section>
  );
}

function EditingBanner({ onCancel }: { onCancel(): void }) {
  const t = useText(composerText);
  return (
    <div className={css.banner}>
      <p>{t.editing}</p>
      <Button kind="quiet" onClick={onCancel}>
        <X size={14} aria-hidden /> {t.cancelEdit}
      </Button>
    </div>
  );
}

/** Below the field: what keys do now, whom the text reaches, and why it did not go out. */
function ComposerNotes({ composer }: { composer: ComposerState }) {
  const t = useText(composerText);
  const { ws, space, draft, isThread, isEditing, completion, keys, atWork, sending, files, said } = composer;
  const isQuiet = isThread || isEditing || completion.open !== null;
  const whom = useAddressHint(ws, space, isQuiet, draft.text);
  const armed = atWork.length > 0 ? `${t.armed} ${t.stopHint(namesOf(atWork))}` : t.armed;
  return (
    <>
      {sending.problem === null ? (
        <p className={css.hint}>
          {files.isOver ? t.dropHere : keys.isArmed ? armed : sending.isUploading ? t.stillUploading : whom}
        </p>
      ) : (
        <p className={css.problem} role="alert">
          {sending.problem}
        </p>
      )}
      <p role="status" className="visually-hidden">
        {completion.open ? t.suggestions(completion.open.items.length) : keys.isArmed ? armed : said}
      </p>
    </>
  );
}
