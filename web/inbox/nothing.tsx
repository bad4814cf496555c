import { Link } from 'wouter';
import { useText } from '../i18n/text.ts';
import { Empty } from '../ui/states.tsx';
import { inboxText } from './text.ts';

/** An empty list: nothing waits, or nothing of what the filter lets through. */
export function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const t = useText(inboxText);
  if (isFiltered)
    return (
      <Empty title={t.noneHere}>
        <Link href="/inbox">{t.showAll}</Link>
      </Empty>
    );
  return (
    <Empty title={t.allClear}>
      <p>{t.allClearHow}</p>
    </Empty>
  );
}

/** Beside a list of which nothing is chosen. */
export function Unchosen({ isEmpty }: { isEmpty: boolean }) {
  const t = useText(inboxText);
  return isEmpty ? null : <Empty title={t.choose} />;
}
