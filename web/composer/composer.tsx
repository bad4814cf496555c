import { X } from 'lucide-react';
import { Suspense } from 'react';
import { useText } from '../i18n/text.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { PartBoundary } from '../shell/part-boundary.tsx';
import { Button } from '../ui/button.tsx';
import { CompletionList } from './completion-list.tsx';
import css from './composer.module.css';
import { ComposerBar } from './composer-bar.tsx';
import { ComposerField } from './composer-field.tsx';
import { ComposerNotes } from './composer-notes.tsx';
import { composerText } from './text.ts';
import { type ComposerPlace, useComposer } from './use-composer.ts';

const AttachmentTray = lazyPart('attachment-tray', () => import('./attachment-tray.tsx'));

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
        ) : files.areAny ? (
          <PartBoundary place={conversationId}>
            <Suspense>
              <AttachmentTray
                ws={ws}
                conversationId={conversationId}
                onSaid={setSaid}
                onRemoved={() => field.current?.focus()}
              />
            </Suspense>
          </PartBoundary>
        ) : null}
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
