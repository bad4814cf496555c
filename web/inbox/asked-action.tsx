import type { Approval, ApprovalArguments } from '../../services/spaces/approvals/schema.ts';
import { WhyAsked } from '../conversation/cards/effects.tsx';
import { cardText, effectText } from '../conversation/cards/text.ts';
import { inputText } from '../conversation/runs/call-words.ts';
import { ScrollingText } from '../conversation/scrolling-text.tsx';
import { useText } from '../i18n/text.ts';
import { askText } from './ask-text.ts';
import css from './preview.module.css';

type Asked = ApprovalArguments['action'];

/** The action by name, all of its input, why a word is needed and what it may do. */
export function AskedAction({ approval }: { approval: Approval }) {
  const asked = approval.arguments as unknown as Asked;
  return 'reviewId' in asked ? <Publication asked={asked} /> : <Call asked={asked} />;
}

function Call({ asked }: { asked: Exclude<Asked, { reviewId: string }> }) {
  const t = useText(askText);
  const effects = useText(effectText);
  return (
    <>
      <h3>
        {t.exactly} <code>{asked.tool}</code>
      </h3>
      <ScrollingText label={t.exactly} className={css.exact}>
        {inputText(asked.input)}
      </ScrollingText>
      {asked.exact === undefined ? null : <p className={css.soft}>{t.hidden}</p>}
      <dl className={css.facts}>
        <dt>{t.why}</dt>
        <dd>
          <WhyAsked reason={asked.reason} />
        </dd>
        <dt>{t.effects}</dt>
        <dd>{asked.classes.map((effect) => effects[effect] ?? effect).join(', ')}</dd>
      </dl>
    </>
  );
}

function Publication({ asked }: { asked: Extract<Asked, { reviewId: string }> }) {
  const t = useText(askText);
  const verdicts: Record<string, string> = useText(cardText).verdicts;
  return (
    <dl className={css.facts}>
      <dt>{t.verdict}</dt>
      <dd>{verdicts[asked.verdict] ?? asked.verdict}</dd>
      <dt>{t.findings}</dt>
      <dd>{asked.findings}</dd>
      <dt>{t.commit}</dt>
      <dd>
        <code>{asked.headSha.slice(0, 12)}</code>
      </dd>
    </dl>
  );
}
