import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useDraft } from '../composer/drafts.ts';
import { useSendKey } from '../composer/send-setting.ts';
import { Markdown } from '../conversation/markdown.tsx';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { visibleText } from '../ui/visible-text.ts';
import { AskActions } from './ask-actions.tsx';
import type { AskProps } from './ask-panel.tsx';
import { askText } from './ask-text.ts';
import css from './preview.module.css';
import { inboxText } from './text.ts';
import { answerKey } from './written.ts';

const MOST_KEYS = 9;
/** Stands for an answer in other words. */
const OTHER = '';

/** A question of an agent's: one of its choices, or an answer in other words. */
export function AskQuestion({ approval, deciding }: AskProps) {
  const t = useText(askText);
  const asked = approval.arguments as unknown as { question?: string; choices?: string[] };
  const choices = asked.choices ?? [];
  const [draft, change] = useDraft(answerKey(approval));
  const hasOnlyText = choices.length === 0 || draft.text !== '';
  const [chosen, setChosen] = useState<string | null>(hasOnlyText ? OTHER : null);
  const panel = useRef<HTMLDivElement>(null);
  const answer = chosen === OTHER ? draft.text.trim() : (chosen ?? '');
  const send = () => {
    if (answer !== '') deciding.decide({ decision: 'approved', answer });
  };
  useAnswerKeys(choices, (choice) => {
    setChosen(choice);
    // Enter there sends it: one slip of a finger answers nothing.
    panel.current?.parentElement?.querySelector<HTMLElement>('footer button')?.focus();
  });
  return (
    <>
      <div className={css.body} ref={panel}>
        <div className={css.question}>
          <Markdown text={visibleText(asked.question ?? approval.subject)} />
        </div>
        {choices.length > 0 ? <Choices choices={choices} chosen={chosen} onChoose={setChosen} /> : null}
        {chosen === OTHER ? (
          <AnswerField text={draft.text} onChange={(text) => change({ text })} onSend={send} />
        ) : null}
      </div>
      <AskActions
        approval={approval}
        deciding={deciding}
        yes={{ label: t.answer, cannot: answer === '' ? t.answerNeeded : null, run: send }}
        refusals={[
          {
            ...{ label: t.decline, verb: t.declineNow, hint: t.reasonHint, needed: null, tone: 'danger' },
            send: (reason) => deciding.decide({ decision: 'refused', ...(reason !== '' && { reason }) }),
          },
        ]}
      />
    </>
  );
}

function useAnswerKeys(choices: readonly string[], onChoose: (choice: string) => void): void {
  const t = useText(inboxText);
  useKeys(
    choices.slice(0, MOST_KEYS).map((choice, i) => ({
      ...{ keys: String(i + 1), label: t.answerKey(i + 1), group: t.group },
      run: () => onChoose(choice),
    })),
  );
}

interface ChoicesProps {
  choices: readonly string[];
  chosen: string | null;
  onChoose(choice: string): void;
}

function Choices({ choices, chosen, onChoose }: ChoicesProps) {
  const t = useText(askText);
  const name = useId();
  return (
    <fieldset className={css.choices}>
      <legend className="visually-hidden">{t.choices}</legend>
      {[...choices, OTHER].map((choice, i) => (
        <label key={choice} className={css.choice}>
          <input type="radio" name={name} checked={chosen === choice} onChange={() => onChoose(choice)} />
          <span>{choice === OTHER ? t.other : visibleText(choice)}</span>
          {choice !== OTHER && i < MOST_KEYS ? <kbd>{i + 1}</kbd> : null}
        </label>
      ))}
    </fieldset>
  );
}

interface AnswerFieldProps {
  text: string;
  onChange(text: string): void;
  onSend(): void;
}

function AnswerField({ text, onChange, onSend }: AnswerFieldProps) {
  const t = useText(askText);
  const sends = useSendKey();
  const onKeyDown = (event: KeyboardEvent) => {
    if (!sends(event)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <textarea
      className={css.answer}
      rows={3}
      aria-label={t.yourAnswer}
      placeholder={t.yourAnswer}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
