import { Pencil } from 'lucide-react';
import { useText } from '../i18n/text.ts';
import { listed } from '../inbox/listed.ts';
import { useConnection } from '../live/connection.ts';
import { useAddressHint } from './address-hint.ts';
import css from './composer.module.css';
import { composerText } from './text.ts';
import { type ComposerState, namesOf } from './use-composer.ts';
import { useTypists } from './use-typing.ts';

/** Below the field: what keys do now, whom the text reaches, why it did not go out, and who else is writing. */
export function ComposerNotes({ composer }: { composer: ComposerState }) {
  const t = useText(composerText);
  const { ws, space, draft, isThread, isEditing, completion, keys, atWork, sending, files, said } = composer;
  const isQuiet = isThread || isEditing || completion.open !== null;
  const whom = useAddressHint(ws, space, isQuiet, draft.text);
  const isAway = useConnection(({ state }) => state === 'reconnecting') && draft.text !== '';
  const armed = atWork.length > 0 ? `${t.armed} ${t.stopHint(namesOf(atWork))}` : t.armed;
  const hint = files.isOver
    ? t.dropHere
    : keys.isArmed
      ? armed
      : sending.isUploading
        ? t.stillUploading
        : isAway
          ? isEditing
            ? t.awayEditing
            : t.away
          : whom;
  return (
    <div className={css.notes}>
      {sending.problem === null ? (
        <p className={css.hint}>{hint}</p>
      ) : (
        <p className={css.problem} role="alert">
          {sending.problem}
        </p>
      )}
      <Typists conversationId={composer.conversationId} />
      <p role="status" className="visually-hidden">
        {completion.open ? t.suggestions(completion.open.items.length) : keys.isArmed ? armed : said}
      </p>
    </div>
  );
}

/** So many by name; of more, how many. */
const MOST_NAMED = 2;

function Typists({ conversationId }: { conversationId: string }) {
  const t = useText(composerText);
  const names = useTypists(conversationId);
  const isSome = names.length > 0;
  return (
    <p role="status" className={isSome ? css.typing : 'visually-hidden'}>
      {isSome ? <Pencil size={13} aria-hidden /> : null}
      {isSome ? (
        <span>
          {names.length > MOST_NAMED ? t.typingMany(names.length) : t.typing(listed(names), names.length)}
        </span>
      ) : null}
    </p>
  );
}
