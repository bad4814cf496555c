import { texts, useText } from '../i18n/text.ts';
import css from './approval-bar.module.css';
import { DecideActions } from './approval-bar-decide.tsx';
import { EstimateFacts } from './approval-bar-facts.tsx';
import { WorkBar } from './approval-bar-work.tsx';
import { useDesk } from './plan-screen-context.ts';

const words = texts({ bar: 'Decision', progress: 'Progress' }, { bar: 'Décision', progress: 'Avancement' });

/** Below the plan: what it will cost and the decision; once it is decided, how far it is. */
export function ApprovalBar() {
  const t = useText(words);
  const { detail } = useDesk();
  const isProposed = detail.status === 'proposed';
  return (
    <section className={css.bar} tabIndex={-1} data-field="bar" aria-label={isProposed ? t.bar : t.progress}>
      {isProposed ? (
        <>
          <EstimateFacts />
          <DecideActions />
        </>
      ) : (
        <WorkBar />
      )}
    </section>
  );
}
