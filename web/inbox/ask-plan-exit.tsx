import type { ApprovalArguments } from '../../services/spaces/approvals/schema.ts';
import { Markdown } from '../conversation/markdown.tsx';
import { useText } from '../i18n/text.ts';
import { visibleText } from '../ui/visible-text.ts';
import { AskActions } from './ask-actions.tsx';
import type { AskProps } from './ask-panel.tsx';
import { askText } from './ask-text.ts';
import css from './preview.module.css';

/** An agent wants its space out of plan mode, to do what it says. */
export function AskPlanExit({ approval, deciding }: AskProps) {
  const t = useText(askText);
  const { summary } = approval.arguments as unknown as ApprovalArguments['plan_exit'];
  return (
    <>
      <div className={css.body}>
        <Markdown text={visibleText(summary)} />
        <p className={css.soft}>{t.exitHint}</p>
      </div>
      <AskActions
        approval={approval}
        deciding={deciding}
        yes={{ label: t.letBegin, run: () => deciding.decide({ decision: 'approved' }) }}
        refusals={[
          {
            ...{ label: t.changes, verb: t.changesNow, hint: t.changesHint, needed: t.changesNeeded },
            ...{ tone: 'primary' },
            send: (reason) => deciding.decide({ decision: 'changesRequested', reason }),
          },
          {
            ...{ label: t.refuse, verb: t.refuseNow, hint: t.reasonHint, needed: null, tone: 'danger' },
            send: (reason) => deciding.decide({ decision: 'refused', ...(reason !== '' && { reason }) }),
          },
        ]}
      />
    </>
  );
}
