import { ScrollingText } from '../conversation/scrolling-text.tsx';
import { useText } from '../i18n/text.ts';
import { visibleText } from '../ui/visible-text.ts';
import { AskActions } from './ask-actions.tsx';
import type { AskProps } from './ask-panel.tsx';
import { askText } from './ask-text.ts';
import css from './preview.module.css';

/** A request of a kind that has no form of its own: all that it asks, as it is. */
export function AskOther({ approval, deciding }: AskProps) {
  const t = useText(askText);
  return (
    <>
      <div className={css.body}>
        <p>{visibleText(approval.subject)}</p>
        <ScrollingText label={t.exactly} className={css.exact}>
          {visibleText(JSON.stringify(approval.arguments, null, 2))}
        </ScrollingText>
      </div>
      <AskActions
        approval={approval}
        deciding={deciding}
        yes={{ label: t.approve, run: () => deciding.decide({ decision: 'approved' }) }}
        refusals={[
          {
            ...{ label: t.refuse, verb: t.refuseNow, hint: t.reasonHint, needed: null, tone: 'danger' },
            send: (reason) => deciding.decide({ decision: 'refused', ...(reason !== '' && { reason }) }),
          },
        ]}
      />
    </>
  );
}
