import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { count, money } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { hasSpent, type Spent, spentBy, tokensOf } from './state-words.ts';
import { runText } from './text.ts';

export function CostOf({ spent: { micros, isPartial } }: { spent: Spent }) {
  const t = useText(runText);
  if (isPartial) return <span>{micros === 0 ? t.costUnknown : t.atLeast(money(micros))}</span>;
  return <span>{money(micros)}</span>;
}

/** Tokens and money of runs, together. */
export function SpentBy({ runs }: { runs: readonly TreeNode[] }) {
  const t = useText(runText);
  const { input, output, cacheRead, cacheWrite } = tokensOf(runs);
  const all = input + output + cacheRead + cacheWrite;
  return (
    <>
      {all > 0 ? (
        <span title={t.tokensTip(count(input + cacheWrite), count(output), count(cacheRead))}>
          {t.tokens(shortCount(all))}
        </span>
      ) : null}
      {hasSpent(runs) ? <CostOf spent={spentBy(runs)} /> : null}
    </>
  );
}

const THOUSAND = 1_000;
const MILLION = 1_000_000;

function shortCount(n: number): string {
  if (n < THOUSAND) return count(n);
  if (n < MILLION) return `${count(Math.round(n / 100) / 10)} k`;
  return `${count(Math.round(n / 100_000) / 10)} M`;
}
