import type { FormerMember } from '../../services/spaces/members/schema.ts';
import { dateTime } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import css from './people.module.css';

const words = texts(
  {
    former: (n: number) => plural(n, 'former member', 'former members'),
    until: (when: string) => `until ${when}`,
  },
  {
    former: (n: number) => plural(n, 'ancien membre', 'anciens membres'),
    until: (when: string) => `jusqu’au ${when}`,
  },
);

/** Whose name still stands under what they wrote. */
export function FormerMembers({ former }: { former: readonly FormerMember[] }) {
  const t = useText(words);
  if (former.length === 0) return null;
  return (
    <details>
      <summary className={css.former}>{t.former(former.length)}</summary>
      <ul className={css.gone}>
        {former.map(({ id, name, removedAt }) => (
          <li key={id}>
            {name} <span className={css.soft}>{t.until(dateTime(removedAt))}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
