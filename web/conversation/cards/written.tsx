import { dropDraft, useDraft } from '../../composer/drafts.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import css from './cards.module.css';
import { cardText } from './text.ts';

/** What this person had written for a decision that somebody else made first: nobody's text goes unasked. */
export function Written({ draftKey }: { draftKey: string }) {
  const t = useText(cardText);
  const [{ text }] = useDraft(draftKey);
  if (text === '') return null;
  return (
    <div className={css.outcome}>
      <p className={css.soft}>{t.youWrote}</p>
      <p className={css.said}>{text}</p>
      <CopyButton label={t.copyWritten} text={() => text} />
      <Button kind="quiet" onClick={() => dropDraft(draftKey)}>
        {t.discardWritten}
      </Button>
    </div>
  );
}
