import type { ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ScrollingText } from '../scrolling-text.tsx';
import { inputText, type StepCall } from './call-words.ts';
import css from './calls.module.css';
import { runText } from './text.ts';

interface CallDetailProps {
  call: StepCall;
  /** Below an output that is not all here: how much of it is, and the way to the rest. */
  rest: ReactNode;
}

/** What went into a call and what came out of it, each to be copied. */
export function CallDetail({ call, rest }: CallDetailProps) {
  const t = useText(runText);
  const { input, output, media, decision } = call;
  return (
    <div className={css.detail}>
      <CallText label={t.input} text={inputText(input)} />
      {decision?.reason ? (
        <p className={css.soft} lang="en">
          {decision.reason}
        </p>
      ) : null}
      {output === null ? null : output === '' ? (
        <p className={css.soft}>{t.noOutput}</p>
      ) : (
        <CallText label={t.output} text={output} />
      )}
      {isCut(call) ? <div className={css.soft}>{rest}</div> : null}
      {media.length > 0 ? <p className={css.soft}>{t.media(media.length)}</p> : null}
    </div>
  );
}

function isCut({ output, outputChars }: StepCall): boolean {
  return output !== null && outputChars !== null && outputChars > output.length;
}

function CallText({ label, text }: { label: string; text: string }) {
  const t = useText(runText);
  return (
    <div>
      <p className={css.head}>
        {label} <CopyButton isIcon label={t.copyOf(label)} text={() => text} />
      </p>
      <ScrollingText label={label} className={css.pre}>
        {text}
      </ScrollingText>
    </div>
  );
}
