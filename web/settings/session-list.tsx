import { useMutation, useQuery } from '@tanstack/react-query';
import type { ListedSession } from '../../services/spaces/members/session-list.ts';
import { ask, spaces } from '../api/client.ts';
import { hasCode } from '../api/problem.ts';
import { keys, queryClient } from '../api/queries.ts';
import { ago, dateTime } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { signOut } from '../shell/sign-out.ts';
import { useMe } from '../shell/use-me.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { notify, notifyFailure } from '../ui/notices.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { useNow } from '../ui/use-now.ts';
import css from './access.module.css';
import { OutOfDate } from './out-of-date.tsx';
import { toldByNoEvent } from './told-by-no-event.ts';

const words = texts(
  {
    none: 'No browser is signed in.',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown browser',
    here: 'This browser',
    now: 'In use now',
    seen: (when: string) => `Last seen ${when}`,
    since: (from: string, until: string) => `Signed in ${from}, until ${until} at the latest`,
    out: 'Sign out',
    end: 'End',
    endOf: (browser: string, from: string) => `End the session of ${browser}, signed in ${from}`,
    endAll: 'End all',
    endOthers: 'End all others',
    ended: (n: number) => `${plural(n, 'session', 'sessions')} ended.`,
  },
  {
    none: 'Aucun navigateur n’est connecté.',
    on: (browser: string, system: string) => `${browser} sur ${system}`,
    unknown: 'Navigateur inconnu',
    here: 'Ce navigateur',
    now: 'Utilisé en ce moment',
    seen: (when: string) => `Vu ${when}`,
    since: (from: string, until: string) => `Connecté le ${from}, jusqu’au ${until} au plus tard`,
    out: 'Se déconnecter',
    end: 'Fermer',
    endOf: (browser: string, from: string) => `Fermer la session de ${browser}, ouverte le ${from}`,
    endAll: 'Fermer toutes les sessions',
    endOthers: 'Fermer toutes les autres',
    ended: (n: number) => `${plural(n, 'session fermée', 'sessions fermées')}.`,
  },
);

/** The browsers in which a member is signed in; each can be signed out from here. */
export function SessionList({ memberId }: { memberId: string }) {
  const list = useQuery({
    queryKey: keys.sessions(memberId),
    queryFn: () => ask(spaces.api.sessions.$get({ query: { memberId } })),
    ...toldByNoEvent,
  });
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  return (
    <>
      <OutOfDate look={list} />
      <Sessions memberId={memberId} sessions={list.data.items} />
    </>
  );
}

interface SessionsProps {
  memberId: string;
  sessions: readonly ListedSession[];
}

function Sessions({ memberId, sessions }: SessionsProps) {
  const t = useText(words);
  const { memberId: myId } = useMe();
  const end = useMutation({
    mutationFn: () => ask(spaces.api.sessions.$delete({ query: { memberId } })),
    onSuccess: ({ ended }) => notify(t.ended(ended)),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.sessions(memberId) }),
  });
  const part = useKeptFocus<HTMLDivElement>(around);
  // What one is signed in with stands first.
  const items = sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  const others = items.filter(({ isCurrent }) => !isCurrent);
  return (
    <div ref={part} className={css.access}>
      {items.length === 0 ? <p className={css.soft}>{t.none}</p> : null}
      <ul>
        {items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {others.length > 1 ? (
        <div>
          <Button isPending={end.isPending} onClick={() => end.mutate()}>
            {memberId === myId ? t.endOthers : t.endAll}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function SessionRow({ session }: { session: ListedSession }) {
  const t = useText(words);
  const now = useNow();
  const { id, memberId, browser, system, isCurrent, createdAt, lastSeenAt, expiresAt } = session;
  const name = browser && system ? t.on(browser, system) : (browser ?? system ?? t.unknown);
  const end = useMutation({
    mutationFn: () => ask(spaces.api.sessions[':id'].$delete({ param: { id } })),
    // One that is over already is what was wanted.
    onError: (error) => hasCode(error, 'not_found') || notifyFailure(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.sessions(memberId) }),
  });
  return (
    <li className={css.row}>
      <div>
        <p className={css.name}>
          {name} {isCurrent ? <Badge tone="accent">{t.here}</Badge> : null}
        </p>
        <p className={css.soft}>
          {isCurrent ? t.now : t.seen(ago(Math.min(lastSeenAt, now), now))}
          <br />
          {t.since(dateTime(createdAt), dateTime(expiresAt))}
        </p>
      </div>
      {isCurrent ? (
        <Button onClick={() => void signOut().catch(notifyFailure)}>{t.out}</Button>
      ) : (
        <Button
          isPending={end.isPending}
          aria-label={t.endOf(name, dateTime(createdAt))}
          onClick={() => end.mutate()}
        >
          {t.end}
        </Button>
      )}
    </li>
  );
}

/** Where the focus goes when no session is left. */
const around = (part: HTMLElement): HTMLElement | null =>
  part.closest('dialog')?.querySelector('footer button') ?? null;
