import { MessageCircleQuestionMark } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { Approval, ApprovalArguments } from '../../../services/spaces/approvals/schema.ts';
import { draftOf, useDraft } from '../../composer/drafts.ts';
import { useSendKey } from '../../composer/send-setting.ts';
import { money } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { answerKey, reasonKey } from '../../inbox/written.ts';
import { useKeys } from '../../keys/registry.ts';
import { useMe } from '../../shell/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { Markdown } from '../markdown.tsx';
import { useNames } from '../names.ts';
import { conversationText } from '../text.ts';
import { isOpen, useDecision } from './approval-data.ts';
import { Card } from './card.tsx';
import css from './cards.module.css';
import { Outcome } from './outcome.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { cardText } from './text.ts';

interface Asked {
  text: string;
  choices: { answer: string; label: string }[];
}

/** A question of an agent, or about a budget: its choices, or an answer in other words. */
export function QuestionCard({ ws, approval }: { ws: string; approval: Approval }) {
  const t = useText(cardText);
  const who = useNames(ws)(approval.requester).name;
  const asked = useAsked(approval);
  const isWaiting = isOpen(approval);
  return (
    <Card
      tone={isWaiting ? 'asks' : 'plain'}
      icon={<MessageCircleQuestionMark size={16} />}
      title={t.asks(who)}
    >
      <Markdown text={asked.text} />
      {isWaiting ? (
        <AnswerForm ws={ws} approval={approval} asked={asked} />
      ) : (
        <Outcome ws={ws} approval={approval} />
      )}
    </Card>
  );
}

function useAsked({ arguments: args, subject }: Approval): Asked {
  const t = useText(cardText);
  const asked = args as unknown as ApprovalArguments['question'];
  if ('question' in asked)
    return {
      text: asked.question,
      choices: asked.choices.map((answer) => ({ answer, label: visibleText(answer) })),
    };
  return {
    text: subject.split('\n\n')[0] ?? subject,
    choices: [
      { answer: 'raise', label: t.raiseBy(money(asked.capMicros * 2)) },
      { answer: 'stop', label: t.stopWork },
    ],
  };
}

const MOST_KEYS = 9;

function AnswerForm({ ws, approval, asked }: { ws: string; approval: Approval; asked: Asked }) {
  const t = useText(cardText);
  const [chosen, setChosen] = useState<string | null>(
    asked.choices.length === 0 || draftOf(answerKey(approval)).text !== '' ? '' : null,
  );
  const [{ text: other }, change] = useDraft(answerKey(approval));
  const [isDeclining, setDeclining] = useState(false);
  const decide = useDecision(ws, approval);
  const { cannotChange } = useMe();
  const sends = useSendKey();
  const button = useRef<HTMLFormElement>(null);
  const answer = chosen === '' ? other.trim() : (chosen ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (answer !== '' && cannotChange === null && !decide.isPending)
      decide.mutate({ decision: 'approved', answer });
  };
  useChoiceKeys(asked, (one) => {
    setChosen(one);
    button.current?.querySelector('button')?.focus();
  });
  return (
    <form className={css.form} onSubmit={submit} ref={button}>
      {asked.choices.length > 0 ? <Choices asked={asked} chosen={chosen} onChoose={setChosen} /> : null}
      {chosen === '' ? (
        <textarea
          className={css.other}
          rows={2}
          aria-label={t.yourAnswer}
          value={other}
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={(event) => {
            if (sends(event)) submit(event);
          }}
        />
      ) : null}
      <div className={css.buttons}>
        <Button
          type="submit"
          kind="primary"
          isPending={decide.isPending}
          disabledReason={cannotChange ?? (answer === '' ? t.yourAnswer : null)}
          onClick={submit}
        >
          {t.answer}
        </Button>
        <Button kind="quiet" disabledReason={cannotChange} onClick={() => setDeclining(true)}>
          {t.decline}
        </Button>
      </div>
      {isDeclining ? (
        <ReasonDialog
          draftKey={reasonKey(approval)}
          title={t.decline.replace('…', '')}
          verb={t.send}
          isNeeded={false}
          isPending={decide.isPending}
          onClose={() => setDeclining(false)}
          onSend={(reason) => decide.mutate({ decision: 'refused', ...(reason !== '' && { reason }) })}
        />
      ) : null}
    </form>
  );
}

/** A digit chooses; Enter then answers, so that a slip of a finger decides nothing. */
function useChoiceKeys({ choices }: Asked, choose: (answer: string) => void): void {
  const t = useText(cardText);
  const { conversation } = useText(conversationText);
  useKeys(
    choices.slice(0, MOST_KEYS).map(({ answer, label }, i) => ({
      ...{ keys: String(i + 1), label: t.answerKey(label), group: conversation },
      run: () => choose(answer),
    })),
  );
}

interface ChoicesProps {
  asked: Asked;
  /** Empty for an answer in other words. */
  chosen: string | null;
  onChoose(answer: string): void;
}

function Choices({ asked, chosen, onChoose }: ChoicesProps) {
  const t = useText(cardText);
  const name = useId();
  return (
    <fieldset className={css.choices}>
      <legend className="visually-hidden">{t.choices}</legend>
      {[...asked.choices, { answer: '', label: t.otherAnswer }].map(({ answer, label }, i) => (
        <label key={answer} className={css.choice}>
          <input type="radio" name={name} checked={chosen === answer} onChange={() => onChoose(answer)} />
          <span>{label}</span>
          {answer !== '' && i < MOST_KEYS ? <kbd title={t.choiceKey(i + 1)}>{i + 1}</kbd> : null}
        </label>
      ))}
    </fieldset>
  );
}
