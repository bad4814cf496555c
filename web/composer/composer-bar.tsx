import { AttachButton } from './attach-button.tsx';
import css from './composer.module.css';
import { DeliveryChoice } from './delivery-choice.tsx';
import { ModeMenu } from './mode-menu.tsx';
import { SendButton, SendSettingMenu } from './send-button.tsx';
import type { ComposerState } from './use-composer.ts';

/** What goes with the text: the mode, files, when it is read, and the button that sends it. */
export function ComposerBar({ composer }: { composer: ComposerState }) {
  const { ws, space, field, cannotChange, atWork, sending, draft, isEditing, files } = composer;
  const isWorking = atWork.length > 0 && !isEditing && cannotChange === null;
  const action = isEditing ? 'save' : isWorking && draft.delivery === 'queue' ? 'queue' : 'send';
  return (
    <div className={css.bar}>
      <ModeMenu ws={ws} space={space} isFixed={cannotChange !== null} />
      {isEditing ? null : <AttachButton cannot={cannotChange ?? files.cannot} onFiles={files.add} />}
      {isWorking ? (
        <DeliveryChoice
          atWork={atWork}
          delivery={draft.delivery}
          onChoose={(delivery) => sending.change({ delivery })}
        />
      ) : null}
      <span className={css.end}>
        <SendSettingMenu />
        <SendButton
          action={action}
          cannot={sending.cannot}
          isPending={sending.isPending}
          onPress={() => {
            void sending.send();
            field.current?.focus();
          }}
        />
      </span>
    </div>
  );
}
