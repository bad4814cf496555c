import { useText } from '../../i18n/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { discard, sayAgain } from '../log/outbox.ts';
import type { Outgoing } from '../log/outbox-state.ts';
import { Markdown } from '../markdown.tsx';
import type { Named } from '../names.ts';
import { conversationText } from '../text.ts';
import { Attachments } from './attachments.tsx';
import css from './message.module.css';

/** What the person said and the server does not have yet, or did not take. */
export function OutgoingRow({ outgoing, author }: { outgoing: Outgoing; author: Named }) {
  const t = useText(conversationText);
  const { ws, key, body, attachments, state, problem, delivery } = outgoing;
  return (
    <article className={`${css.row} ${state === 'failed' ? '' : css.pending}`} data-outgoing={key}>
      <div className={css.gutter}>
        <Avatar name={author.name} kind="person" />
      </div>
      <div className={css.content}>
        <div className={css.heading}>
          <strong>{author.name}</strong>
          {state === 'failed' ? (
            <Status status="failed" label={t.notSent} />
          ) : (
            <span className={css.time}>{t.sending}</span>
          )}
          {delivery === 'queue' ? <span className={css.time}>{t.queued}</span> : null}
        </div>
        {body === '' ? null : <Markdown text={body} />}
        <Attachments ws={ws} files={attachments} />
        {state === 'failed' ? <Failure id={key} problem={problem} /> : null}
      </div>
    </article>
  );
}

/** Why it did not go out, and what to do. It goes with either, and the focus to the place to write. */
function Failure({ id, problem }: { id: string; problem: string | null }) {
  const t = useText(conversationText);
  const part = useKeptFocus<HTMLDivElement>(placeToWrite);
  return (
    <div ref={part} role="alert" className={css.failure}>
      <p>{problem}</p>
      <div className={css.editButtons}>
        <Button onClick={() => sayAgain(id)}>{t.tryAgain}</Button>
        <Button kind="quiet" onClick={() => discard(id)}>
          {t.discard}
        </Button>
      </div>
    </div>
  );
}

const placeToWrite = (part: Element) =>
  [...(part.closest('section')?.querySelectorAll('textarea') ?? [])].at(-1);
