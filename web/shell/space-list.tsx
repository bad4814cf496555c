import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useRoute } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import { openDialog } from './dialogs.ts';
import { busySpaces } from './presence-items.ts';
import { usePresence } from './presence-store.ts';
import { inboxQuery, spacesQuery } from './shell-queries.ts';
import css from './space-list.module.css';
import { SpaceRow } from './space-row.tsx';
import { spaceTree, waitingBySpace } from './space-tree.ts';
import { useMe } from './use-me.ts';

const words = texts(
  {
    spaces: 'Spaces',
    add: 'New space',
    empty: 'No space yet. A space is a room where people and agents work together.',
    failed: 'The spaces could not be loaded.',
    retry: 'Try again',
  },
  {
    spaces: 'Espaces',
    add: 'Nouvel espace',
    empty: 'Aucun espace. Un espace est une pièce où personnes et agents travaillent ensemble.',
    failed: 'Impossible de charger les espaces.',
    retry: 'Réessayer',
  },
);

/** The spaces, those where something waits first. */
export function SpaceList({ ws }: { ws: string }) {
  const t = useText(words);
  const { cannotChange } = useMe();
  const list = useQuery(spacesQuery(ws));
  const inbox = useQuery(inboxQuery(ws)).data?.items;
  const presence = usePresence((state) => state.items);
  const [, params] = useRoute('/spaces/:id');
  const busy = useMemo(() => busySpaces(presence ?? []), [presence]);
  const tree = useMemo(
    () => spaceTree(list.data?.items ?? [], waitingBySpace(inbox ?? [])),
    [list.data, inbox],
  );
  const add = () => openDialog({ kind: 'newSpace' });
  return (
    <nav aria-label={t.spaces}>
      <div className={css.head}>
        <h2>{t.spaces}</h2>
        <IconButton
          label={t.add}
          disabledReason={cannotChange}
          icon={<Plus size={16} aria-hidden />}
          onClick={add}
        />
      </div>
      {list.error ? (
        <div className={css.note} role="alert">
          <p>{t.failed}</p>
          <p>
            <FaultText error={list.error} />
          </p>
          <Button onClick={() => void list.refetch()}>{t.retry}</Button>
        </div>
      ) : null}
      {list.data && tree.length === 0 ? (
        <div className={css.note}>
          <p>{t.empty}</p>
          <Button onClick={add} disabledReason={cannotChange}>
            {t.add}
          </Button>
        </div>
      ) : null}
      <ul>
        {tree.map((node) => (
          <SpaceRow key={node.space.id} ws={ws} node={node} busy={busy} currentId={params?.id ?? null} />
        ))}
      </ul>
    </nav>
  );
}
