import { type KeyboardEvent, useMemo } from 'react';
import { useText } from '../i18n/text.ts';
import css from './org.module.css';
import { OrgCard } from './org-card.tsx';
import { inOrder, type OrgNode } from './org-graph.ts';
import { CARD, orgPicture } from './org-layout.ts';
import { orgText } from './org-text.ts';
import type { OrgViewProps } from './org-view.ts';

const rem = (value: number) => `${value}rem`;

/** The chart drawn: superiors above, lines to who reports to them. One stop of Tab; the arrows go the way they point. */
export function OrgChart({ trees, rows, selectedId, pendingId, drag, onSelect, onOpen }: OrgViewProps) {
  const t = useText(orgText);
  const picture = useMemo(() => orgPicture(trees), [trees]);
  const all = useMemo(() => inOrder(trees), [trees]);
  const stop = all.find(({ agent }) => agent.id === selectedId)?.agent.id ?? all[0]?.agent.id;
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const to = neighbour(trees, all, selectedId ?? stop ?? '', event.key);
    if (event.key === 'Enter' && selectedId !== null) onOpen(selectedId);
    if (to === undefined) return;
    event.preventDefault();
    onSelect(to);
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-agent="${to}"]`)?.focus();
  };
  return (
    <div
      role="tree"
      aria-label={t.tree}
      className={css.chart}
      style={{ inlineSize: rem(picture.width), blockSize: rem(picture.height) }}
    >
      <svg
        aria-hidden="true"
        className={css.lines}
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        style={{ inlineSize: rem(picture.width), blockSize: rem(picture.height) }}
      >
        {picture.lines.map(({ from, to, points }) => (
          <polyline
            key={`${from}>${to}`}
            className={from === selectedId || to === selectedId ? css.lineLit : undefined}
            points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
          />
        ))}
      </svg>
      {picture.cards.map(({ node, x, y }) => (
        <div
          key={node.agent.id}
          role="treeitem"
          aria-level={node.level}
          aria-selected={node.agent.id === selectedId}
          tabIndex={node.agent.id === stop ? 0 : -1}
          data-agent={node.agent.id}
          data-drag={dragState(node.agent.id, drag)}
          data-pending={node.agent.id === pendingId || undefined}
          className={css.card}
          style={{
            insetInlineStart: rem(x),
            top: rem(y),
            inlineSize: rem(CARD.width),
            blockSize: rem(CARD.height),
          }}
          onKeyDown={walk}
          onClick={() => onSelect(node.agent.id)}
          onFocus={() => node.agent.id !== selectedId && onSelect(node.agent.id)}
          onDoubleClick={() => onOpen(node.agent.id)}
        >
          <OrgCard node={node} row={rows.get(node.agent.id)} />
        </div>
      ))}
    </div>
  );
}

export function dragState(id: string, drag: OrgViewProps['drag']): string | undefined {
  if (drag === null) return undefined;
  if (drag.id === id) return 'held';
  const { target } = drag;
  if (target.kind === 'nowhere' || target.superior !== id) return undefined;
  return target.kind;
}

/** Up to the superior, down to the first report, aside on the same level. */
function neighbour(
  trees: readonly OrgNode[],
  all: readonly OrgNode[],
  id: string,
  key: string,
): string | undefined {
  const at = all.find(({ agent }) => agent.id === id);
  if (!at) return undefined;
  const level = all.filter((node) => node.level === at.level);
  const beside = (by: number) => level[level.indexOf(at) + by]?.agent.id;
  switch (key) {
    case 'ArrowUp':
      return all.find(({ reports }) => reports.includes(at))?.agent.id;
    case 'ArrowDown':
      return at.reports[0]?.agent.id;
    case 'ArrowLeft':
      return beside(-1);
    case 'ArrowRight':
      return beside(1);
    case 'Home':
      return trees[0]?.agent.id;
    case 'End':
      return all.at(-1)?.agent.id;
    default:
      return undefined;
  }
}
