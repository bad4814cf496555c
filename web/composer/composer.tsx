import { X } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { actOnRun } from '../conversation/runs/run-actions.ts';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { notifyFailure } from '../ui/notices.tsx';
import { useAddressHint } from './address-hint.ts';
import { type AtWork, useAtWork } from './at-work.ts';
import { AttachButton } from './attach-button.tsx';
import { AttachmentTray } from './attachment-tray.tsx';
import { CompletionList } from './completion-list.tsx';
import css from './composer.module.css';
import { DeliveryChoice } from './delivery-choice.tsx';
import { ModeMenu } from './mode-menu.tsx';
import { modName, SendButton, SendSettingMenu } from './send-button.tsx';
import { useSendSetting } from './send-setting.ts';
import { chooseMode, type ModeSpace, nextMode, useShownMode } from './space-mode.ts';
import { composerText, modeText } from './text.ts';
import { useCompletion } from './use-completion.ts';
import { useFieldKeys } from './use-field-keys.ts';
import { useFiles } from './use-files.ts';
import { useSending } from './use-sending.ts';

interface ComposerProps {
  ws: string;
  space: ModeSpace;
  conversationId: string;
  placeholder?: string;
}

/** Where a person writes into a conversation. One of another conversation is another composer: give it that as its key. */
export function Composer({ ws, space, conversationId, placeholder }: ComposerProps) {
  const t = useText(composerText);
  const modes = useText(modeText);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState('');
  const { cannotChange } = useMe();
  const { enterSends } = useSendSetting();
  const atWork = useAtWork(conversationId);
  const mode = useShownMode(space);
  const sending = useSending(ws, space, conversationId, setSaid);
  const { draft, change } = sending;
  const completion = useCompletion(ws, space, field, draft.text);
  const files = useFiles(ws, conversationId, draft.editing !== null || cannotChange !== null, setSaid);
  const isThread = conversationId !== space.mainConversationId;
  const isEditing = draft.editing !== null;
  const keys = useFieldKeys({
    ...{ enterSends, isEditing, isEmpty: draft.text === '' && draft.attachments.length === 0 },
    canCycle: mode !== 'review' && cannotChange === null,
    onSend: () => void sending.send(),
    onEditLast: sending.editLast,
    onCancelEdit: sending.cancelEdit,
    onCycle: () => {
      const next = nextMode(mode);
      chooseMode(ws, space, next);
      setSaid(`${t.modeIs(modes[next].label)}. ${modes[next].hint}.`);
    },
    onStop: () => void stopAll(ws, atWork, t.stopped).then(setSaid, notifyFailure),
  });
  useKeys([{ keys: 'm', label: t.focusKey, group: t.group, run: () => field.current?.focus() }]);
  useCaretAtEnd(field, draft.editing?.messageId);
  const hint = useAddressHint(ws, space, isThread || isEditing || completion.open !== null, draft.text);
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
          <p className={css.banner}>
            {t.editing}
            <Button kind="quiet" onClick={sending.cancelEdit}>
              <X size={14} aria-hidden /> {t.cancelEdit}
            </Button>
          </p>
        ) : null}
        {isEditing ? null : (
          <AttachmentTray
            ws={ws}
            conversationId={conversationId}
            onSaid={setSaid}
            onRemoved={() => field.current?.focus()}
          />
        )}
        <div className={css.grow} data-text={draft.text}>
          <textarea
            ref={field}
            className={css.field}
            rows={1}
            value={draft.text}
            readOnly={cannotChange !== null}
            placeholder={
              cannotChange ?? placeholder ?? (isThread ? t.placeholderThread : t.placeholder(space.name))
            }
            aria-label={t.field}
            aria-describedby={`${id}-how`}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={completion.open ? `${id}-list` : undefined}
            aria-activedescendant={completion.open ? `${id}-list-${completion.open.active}` : undefined}
            onChange={({ target }) => {
              change({ text: target.value });
              completion.follow(target);
            }}
            onSelect={({ currentTarget }) => completion.follow(currentTarget)}
            onKeyDown={(event) => {
              if (!completion.onKeyDown(event)) keys.onKeyDown(event);
            }}
            onBlur={() => {
              completion.close();
              keys.disarm();
            }}
            onPaste={files.onPaste}
          />
        </div>
        <div className={css.bar}>
          <ModeMenu ws={ws} space={space} isFixed={cannotChange !== null} />
          <AttachButton cannot={files.cannot} onFiles={files.add} />
          {atWork.length > 0 && !isEditing ? (
            <DeliveryChoice
              atWork={atWork}
              delivery={draft.delivery}
              onChoose={(delivery) => change({ delivery })}
            />
          ) : null}
          <span className={css.end}>
            <SendSettingMenu />
            <SendButton
              action={isEditing ? 'save' : atWork.length > 0 && draft.delivery === 'queue' ? 'queue' : 'send'}
              cannot={sending.cannot}
              isPending={sending.isPending}
              onPress={() => {
                void sending.send();
                field.current?.focus();
              }}
            />
          </span>
        </div>
      </div>
      <p className={css.hint}>
        {keys.isArmed ? `${t.armed} ${atWork.length > 0 ? t.stopHint(namesOf(atWork)) : ''}` : hint}
      </p>
      {(sending.problem ?? draft.refused?.problem) ? (
        <p className={css.problem} role="alert">
          {sending.problem ?? t.notSent(draft.refused?.problem ?? '')}
        </p>
      ) : null}
      <p id={`${id}-how`} hidden>
        {enterSends ? t.enterSends : t.modEnterSends(modName())} {mode === 'review' ? '' : t.modeKeys}{' '}
        {t.upEdits}
      </p>
      <p role="status" className="visually-hidden">
        {completion.open ? t.suggestions(completion.open.items.length) : said}
      </p>
    </section>
  );
}

const namesOf = (atWork: readonly AtWork[]) => [...new Set(atWork.map(({ name }) => name))].join(', ');

/** Stops every run that is under way here. @returns what to say of it @throws ApiProblem */
async function stopAll(
  ws: string,
  atWork: readonly AtWork[],
  words: (names: string) => string,
): Promise<string> {
  if (atWork.length === 0) return '';
  await Promise.all(atWork.map(({ runId }) => actOnRun(ws, runId, 'cancel')));
  return words(namesOf(atWork));
}

/** Whoever begins to change a message goes on at its end. */
function useCaretAtEnd(field: RefObject<HTMLTextAreaElement | null>, editing: string | undefined): void {
  useEffect(() => {
    if (editing === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [editing, field]);
}
