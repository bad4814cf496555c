import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useText } from '../i18n/text.ts';
import css from './org.module.css';
import { OrgCard } from './org-card.tsx';
import { dragState } from './org-chart.tsx';
import type { OrgNode } from './org-graph.ts';
import { orgText } from './org-text.ts';
import type { OrgViewProps } from './org-view.ts';
import { LiveStateWord } from './state-word.tsx';

/** The chart as a list that folds: up and down walk, right unfolds or goes in, left folds or goes out. */
export function OrgList({ trees, rows, selectedId, pendingId, drag, onSelect, onOpen }: OrgViewProps) {
  const t = useText(orgText);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const shown = visible(trees, folded);
  const stop = shown.find(({ agent }) => agent.id === selectedId)?.agent.id ?? shown[0]?.agent.id;
  const fold = (id: string, isFolded: boolean) =>
    setFolded((before) => new Set(isFolded ? [...before, id] : [...before].filter((one) => one !== id)));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const node = shown.find(({ agent }) => agent.id === (selectedId ?? stop));
    if (!node) return;
    if (event.key === 'Enter') onOpen(node.agent.id);
    const isFolded = folded.has(node.agent.id);
    if (event.key === 'ArrowRight' && isFolded) fold(node.agent.id, false);
    else if (event.key === 'ArrowLeft' && !isFolded && node.reports.length > 0) fold(node.agent.id, true);
    else {
      const to = next(shown, node, event.key);
      if (to === undefined) return;
      onSelect(to);
      event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-agent="${to}"]`)?.focus();
    }
    event.preventDefault();
  };
  return (
    <div role="tree" aria-label={t.tree} className={css.list}>
      {shown.map((node) => (
        <div
          key={node.agent.id}
          role="treeitem"
          aria-level={node.level}
          aria-selected={node.agent.id === selectedId}
          aria-expanded={node.reports.length > 0 ? !folded.has(node.agent.id) : undefined}
          tabIndex={node.agent.id === stop ? 0 : -1}
          data-agent={node.agent.id}
          data-drag={dragState(node.agent.id, drag)}
          data-pending={node.agent.id === pendingId || undefined}
          className={css.row}
          style={{ paddingInlineStart: `${(node.level - 1) * 1.5 + 0.25}rem` }}
          onKeyDown={onKeyDown}
          onClick={() => onSelect(node.agent.id)}
          onFocus={() => node.agent.id !== selectedId && onSelect(node.agent.id)}
          onDoubleClick={() => onOpen(node.agent.id)}
        >
          {/* The keyboard folds with the arrows, so that this is for the mouse alone. */}
          <span
            aria-hidden="true"
            className={css.chevron}
            data-open={node.reports.length > 0 ? !folded.has(node.agent.id) : undefined}
            onClick={() => node.reports.length > 0 && fold(node.agent.id, !folded.has(node.agent.id))}
          >
            {node.reports.length > 0 ? <ChevronRight size={15} /> : null}
          </span>
          <OrgCard node={node} row={rows.get(node.agent.id)} />
          <span className={css.state}>
            <LiveStateWord state={rows.get(node.agent.id)?.state ?? null} />
          </span>
        </div>
      ))}
    </div>
  );
}

function visible(nodes: readonly OrgNode[], folded: ReadonlySet<string>): OrgNode[] {
  return nodes.flatMap((node) => [node, ...(folded.has(node.agent.id) ? [] : visible(node.reports, folded))]);
}

function next(shown: readonly OrgNode[], node: OrgNode, key: string): string | undefined {
  const at = shown.indexOf(node);
  switch (key) {
    case 'ArrowDown':
      return shown[at + 1]?.agent.id;
    case 'ArrowUp':
      return shown[at - 1]?.agent.id;
    case 'ArrowRight':
      return node.reports[0]?.agent.id;
    case 'ArrowLeft':
      return shown.find(({ reports }) => reports.includes(node))?.agent.id;
    case 'Home':
      return shown[0]?.agent.id;
    case 'End':
      return shown.at(-1)?.agent.id;
    default:
      return undefined;
  }
}
