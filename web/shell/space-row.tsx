import { ChevronRight, Settings2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { plural, texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Status } from '../ui/status.tsx';
import { openDialog } from './dialogs.ts';
import { isUnread } from './is-unread.ts';
import css from './space-row.module.css';
import { SpaceThreads } from './space-threads.tsx';
import { holds, type SpaceNode, type TreeSpace } from './space-tree.ts';
import { useLatest, useSeen } from './unread.ts';

const words = texts(
  {
    waiting: (n: number) => `${n.toLocaleString('en')} waiting`,
    running: 'Agents at work',
    idle: 'Quiet',
    unread: 'new messages',
    unfold: (name: string) => `Threads of ${name}`,
    edit: (name: string) => `Settings of ${name}`,
    below: (n: number) => plural(n, 'space below', 'spaces below'),
  },
  {
    waiting: (n: number) => `${n.toLocaleString('fr')} en attente`,
    running: 'Des agents y travaillent',
    idle: 'Calme',
    unread: 'nouveaux messages',
    unfold: (name: string) => `Fils de ${name}`,
    edit: (name: string) => `Réglages de ${name}`,
    below: (n: number) => plural(n, 'espace en dessous', 'espaces en dessous'),
  },
);

interface SpaceRowProps {
  ws: string;
  node: SpaceNode<TreeSpace>;
  /** Spaces in which an agent is at work. */
  busy: ReadonlySet<string>;
  currentId: string | null;
}

/** A space, and folded below it the spaces that were opened from it and its threads. */
export function SpaceRow({ ws, node, busy, currentId }: SpaceRowProps) {
  const t = useText(words);
  const id = useId();
  const [isUnfolded, setUnfolded] = useState(false);
  const { space, children } = node;
  const isCurrent = space.id === currentId;
  // What waits or is open stays in sight when the row is folded.
  const shown = children.filter(
    (child) => isUnfolded || child.allWaiting > 0 || (currentId !== null && holds(child, currentId)),
  );
  const waiting = isUnfolded ? node.waiting : node.allWaiting - shownWaiting(shown);
  const status = busy.has(space.id) ? 'running' : waiting > 0 ? 'awaiting' : 'idle';
  const unread = useUnread(ws, space) && !isCurrent;
  return (
    <li>
      <div className={css.row} data-current={isCurrent || undefined}>
        <button
          type="button"
          className={css.fold}
          aria-expanded={isUnfolded}
          aria-controls={id}
          aria-label={t.unfold(space.name)}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <ChevronRight size={14} aria-hidden />
        </button>
        <Link href={`/spaces/${space.id}`} className={css.link} aria-current={isCurrent ? 'page' : undefined}>
          <Status status={status} isShapeOnly {...(status !== 'awaiting' && { label: t[status] })} />
          <span className={unread ? `${css.name} ${css.unread}` : css.name} title={space.name}>
            {space.name}
          </span>
          {unread ? <span className="visually-hidden">, {t.unread}</span> : null}
          {waiting > 0 ? <Waiting count={waiting} /> : null}
        </Link>
        <IconButton
          className={css.edit}
          label={t.edit(space.name)}
          icon={<Settings2 size={14} aria-hidden />}
          onClick={() => openDialog({ kind: 'editSpace', spaceId: space.id })}
        />
      </div>
      <div id={id} className={css.below} hidden={shown.length === 0 && !isUnfolded}>
        {shown.length > 0 ? (
          <ul>
            {shown.map((child) => (
              <SpaceRow key={child.space.id} ws={ws} node={child} busy={busy} currentId={currentId} />
            ))}
          </ul>
        ) : null}
        {isUnfolded ? <SpaceThreads ws={ws} spaceId={space.id} /> : null}
      </div>
    </li>
  );
}

/** The number alone is seen: names need the room. */
function Waiting({ count }: { count: number }) {
  const t = useText(words);
  return (
    <Badge tone="warn">
      <span title={t.waiting(count)}>
        <span aria-hidden>{count}</span>
        <span className="visually-hidden">{t.waiting(count)}</span>
      </span>
    </Badge>
  );
}

const shownWaiting = (nodes: readonly SpaceNode<TreeSpace>[]) =>
  nodes.reduce((sum, child) => sum + child.allWaiting, 0);

function useUnread(ws: string, { id, lastMessageAt }: TreeSpace): boolean {
  const seen = useSeen();
  const latest = useLatest((state) => state.latest[id]);
  return isUnread(seen, ws, id, lastMessageAt, latest);
}
