import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenView } from '../../services/spaces/members/token-store.ts';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { ago, dateTime } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { useNow } from '../ui/use-now.ts';
import css from './access.module.css';
import { OutOfDate } from './out-of-date.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { toldByNoEvent } from './told-by-no-event.ts';

const words = texts(
  {
    none: 'No tokens yet.',
    first: 'First start',
    made: (when: string) => `Made ${when}`,
    used: (when: string) => `Last used ${when}`,
    unused: 'Not known to have been used',
    revoke: 'Revoke',
    revokeOf: (name: string) => `Revoke the token ${name}`,
  },
  {
    none: 'Aucun jeton pour l’instant.',
    first: 'Premier démarrage',
    made: (when: string) => `Créé le ${when}`,
    used: (when: string) => `Utilisé ${when}`,
    unused: 'Aucune utilisation connue',
    revoke: 'Révoquer',
    revokeOf: (name: string) => `Révoquer le jeton ${name}`,
  },
);

/** A file of the server, which has this name in every language. */
const FILE = 'owner-token';

/** The tokens of a member: what each is for, when it was used, and its end. */
export function TokenList({ memberId }: { memberId: string }) {
  const list = useQuery({
    queryKey: keys.tokens(memberId),
    queryFn: () => ask(spaces.api.tokens.$get({ query: { memberId } })),
    ...toldByNoEvent,
  });
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  return (
    <>
      <OutOfDate look={list} />
      <Tokens tokens={list.data.items} />
    </>
  );
}

function Tokens({ tokens }: { tokens: readonly TokenView[] }) {
  const t = useText(words);
  const [revoked, setRevoked] = useState<TokenView | null>(null);
  const part = useKeptFocus<HTMLDivElement>(nextField);
  return (
    <div ref={part} className={css.access}>
      {tokens.length === 0 ? <p className={css.soft}>{t.none}</p> : null}
      <ul>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
        ))}
      </ul>
      {revoked ? <RevokeToken token={revoked} onClose={() => setRevoked(null)} /> : null}
    </div>
  );
}

function TokenRow({ token, onRevoke }: { token: TokenView; onRevoke(): void }) {
  const t = useText(words);
  const now = useNow();
  const { name, createdAt, lastUsedAt, isOwnerFile } = token;
  return (
    <li className={css.row}>
      <div>
        <p className={css.name}>
          {isOwnerFile ? t.first : name} {isOwnerFile ? <Badge>{FILE}</Badge> : null}
        </p>
        <p className={css.soft}>
          {lastUsedAt === null ? t.unused : t.used(ago(Math.min(lastUsedAt, now), now))}
          <br />
          {t.made(dateTime(createdAt))}
        </p>
      </div>
      <Button aria-label={t.revokeOf(isOwnerFile ? t.first : name)} onClick={onRevoke}>
        {t.revoke}
      </Button>
    </li>
  );
}

/** What stands below the list, or else around it. */
const nextField = (part: HTMLElement): HTMLElement | null =>
  part.parentElement?.querySelector('input') ??
  part.closest('dialog')?.querySelector('footer button') ??
  null;
