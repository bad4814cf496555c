import type { Approval } from '../../../services/spaces/approvals/schema.ts';
import { ago } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { Status } from '../../ui/status.tsx';
import type { StatusWord } from '../../ui/status-words.ts';
import { useNow } from '../../ui/use-now.ts';
import { useNames } from '../names.ts';
import css from './cards.module.css';
import { cardText } from './text.ts';

/** What became of a request: who decided what, when, and why. */
export function Outcome({ ws, approval }: { ws: string; approval: Approval }) {
  const now = useNow();
  const { decidedAt, decision } = approval;
  const said = decision?.answer ?? decision?.reason;
  return (
    <div className={css.outcome}>
      <Status status={wordOf(approval)} label={useSentence(ws, approval)} />
      {decidedAt === null ? null : <span className={css.soft}>{ago(decidedAt, now)}</span>}
      {said ? <p className={css.said}>{said}</p> : null}
    </div>
  );
}

/** That somebody refuses is no failure. */
const wordOf = ({ status }: Approval): StatusWord => (status === 'approved' ? 'done' : 'cancelled');

function useSentence(ws: string, { kind, status, decidedBy, decision, grant }: Approval): string {
  const t = useText(cardText);
  const who = useNames(ws)(decidedBy ?? '').name;
  if (status === 'superseded') return t.superseded;
  if (status === 'refused') {
    if (decision?.changesRequested) return t.changesAsked(who);
    return kind === 'question' ? t.declined(who) : t.refused(who);
  }
  if (kind === 'question') return t.answered(who);
  if (grant === 'run') return t.approvedRun(who);
  if (grant === 'rule') return t.approvedRule(who);
  return grant === 'once' ? t.approvedOnce(who) : t.approved(who);
}
