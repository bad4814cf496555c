import { Link } from 'wouter';
import { useText } from '../i18n/text.ts';
import { Empty } from '../ui/states.tsx';
import { inboxText } from './text.ts';

/** `rest`: only what this person has put off waits; `unknown`: whether something went wrong could not be looked up. */
export type NothingWhy = 'clear' | 'rest' | 'filtered' | 'noneLater' | 'unknown';

/** An empty list: nothing waits, or nothing of what the filter lets through. */
export function Nothing({ why }: { why: NothingWhy }) {
  const t = useText(inboxText);
  if (why === 'filtered' || why === 'noneLater')
    return (
      <Empty title={why === 'filtered' ? t.noneHere : t.noneLater}>
        <Link href="/inbox">{t.showAll}</Link>
      </Empty>
    );
  return (
    <Empty title={why === 'rest' ? t.restLater : t.allClear}>
      {why === 'clear' ? <p>{t.allClearHow}</p> : null}
    </Empty>
  );
}

/** Beside a list of which nothing is chosen. */
export function Unchosen({ isEmpty }: { isEmpty: boolean }) {
  const t = useText(inboxText);
  return isEmpty ? null : <Empty title={t.choose} />;
}
