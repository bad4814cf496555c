import { money } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { agentText } from './agent-words.ts';
import css from './budget.module.css';
import type { MonthBudget as Budget } from './roster.ts';

/** From this share on people are warned, as the server warns agents. */
const NEARLY = 0.8;

/** What has been spent this month of what may be, as a bar and in words. Without a cap there is no bar. */
export function MonthBudget({ budget, isLong = false }: { budget: Budget; isLong?: boolean }) {
  const t = useText(agentText);
  const { capMicros, spentMicros, reservedMicros, unknownCalls, unknownMicros } = budget;
  const used = spentMicros + unknownMicros;
  const share = capMicros === null ? null : Math.min(1, used / capMicros);
  const spent = unknownCalls > 0 ? t.atLeast(money(spentMicros)) : money(spentMicros);
  const warning = share === null || share < NEARLY ? null : share >= 1 ? t.usedUp : t.nearlyUsed;
  return (
    <span className={css.budget}>
      <span className={css.sums}>
        <strong>{spent}</strong>
        <span className={css.cap}>{capMicros === null ? t.noCap : `/ ${money(capMicros)}`}</span>
        {warning === null ? null : <span className={share === 1 ? css.bad : css.warn}>{warning}</span>}
      </span>
      {share === null ? null : (
        <span className={css.bar} aria-hidden="true">
          <span
            className={share >= 1 ? css.fullBad : share >= NEARLY ? css.fullWarn : css.full}
            style={{ inlineSize: `${share * 100}%` }}
          />
        </span>
      )}
      {isLong && reservedMicros > 0 ? (
        <span className={css.note}>{t.reserved(money(reservedMicros))}</span>
      ) : null}
      {isLong && unknownCalls > 0 ? <span className={css.note}>{t.unknownCalls(unknownCalls)}</span> : null}
    </span>
  );
}
