import { ChevronRight, Settings2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
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
    unfoldAll: (name: string) => `Spaces and threads below ${name}`,
    edit: (name: string) => `Settings of ${name}`,
    below: (n: number) => plural(n, 'more space below', 'more spaces below'),
  },
  {
    waiting: (n: number) => `${n.toLocaleString('fr')} en attente`,
    running: 'Des agents y travaillent',
    idle: 'Calme',
    unread: 'nouveaux messages',
    unfold: (name: string) => `Fils de ${name}`,
    unfoldAll: (name: string) => `Espaces et fils sous ${name}`,
    edit: (name: string) => `Réglages de ${name}`,
    below: (n: number) => plural(n, 'autre espace en dessous', 'autres espaces en dessous'),
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
  const isInSight = (child: SpaceNode<TreeSpace>) =>
    isUnfolded || child.allWaiting > 0 || holds(child, ({ id: below }) => below === currentId);
  const [shown, folded] = [children.filter(isInSight), children.filter((child) => !isInSight(child))];
  /** Whether it is so here or in a space that is folded away. */
  const isSo = (is: (space: TreeSpace) => boolean) => is(space) || folded.some((child) => holds(child, is));
  const waiting = node.allWaiting - shown.reduce((sum, child) => sum + child.allWaiting, 0);
  const status = isSo(({ id: one }) => busy.has(one)) ? 'running' : waiting > 0 ? 'awaiting' : 'idle';
  const isNew = useUnread(ws);
  const unread = isSo((one) => one.id !== currentId && isNew(one));
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li>
      <div ref={row} className={css.row} data-current={isCurrent || undefined}>
        <button
          type="button"
          className={css.fold}
          aria-expanded={isUnfolded}
          aria-controls={id}
          aria-label={children.length > 0 ? t.unfoldAll(space.name) : t.unfold(space.name)}
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
          {folded.length > 0 ? (
            <span className={css.more} title={t.below(folded.length)}>
              <span aria-hidden>+{folded.length}</span>
              <span className="visually-hidden">, {t.below(folded.length)}</span>
            </span>
          ) : null}
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

function useUnread(ws: string): (space: TreeSpace) => boolean {
  const seen = useSeen();
  const latest = useLatest((state) => state.latest);
  return ({ id, lastMessageAt }) => isUnread(seen, ws, id, lastMessageAt, latest[id]);
}
