import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { FailedLooks } from '../../agents/failed-looks.tsx';
import { duration } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { Age } from '../../inbox/age.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { flat, type RunTrees, useFlat } from './run-data.ts';
import css from './runs.module.css';
import { CostOf, SpentBy } from './spent.tsx';
import { spentBy, statusOfRun } from './state-words.ts';
import { runText } from './text.ts';

/** Every run of the conversation with its sub-agents, newest first, with what they cost alone and together. */
export function RunTree({ runs, looks, onClose }: RunTrees & { onClose(): void }) {
  const t = useText(runText);
  const [current, setCurrent] = useState<string | null>(null);
  const newestFirst = runs.toReversed();
  const all = runs.flatMap(flat);
  return (
    <div className={css.panel}>
      <header className={css.panelHead}>
        <h2>{t.tree}</h2>
        <IconButton label={t.closePanel} icon={<X size={16} aria-hidden />} onClick={onClose} />
      </header>
      <FailedLooks looks={looks} />
      {runs.length === 0 ? (
        looks.every(({ error }) => error === null) ? (
          <Empty title={t.noRuns} />
        ) : null
      ) : (
        <>
          <div className={css.panelBody} role="tree" aria-label={t.treeOf} onKeyDown={walk}>
            {newestFirst.map((node) => (
              <RunItem
                key={node.id}
                node={node}
                level={1}
                current={current ?? newestFirst[0]?.id ?? null}
                onFocus={setCurrent}
              />
            ))}
          </div>
          <footer className={`${css.total} ${css.barFacts}`}>
            <strong>{t.total}</strong>
            <SpentBy runs={all} />
          </footer>
        </>
      )}
    </div>
  );
}

/** Arrows go from run to run; Enter opens the one that has the focus. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (event.key === 'Enter') all[at]?.querySelector('a')?.click();
  if (to === undefined || !all[to]) return;
  event.preventDefault();
  all[to].focus();
}

interface RunItemProps {
  node: TreeNode;
  level: number;
  /** The one in the tab order. */
  current: string | null;
  onFocus(id: string): void;
}

function RunItem({ node, level, current, onFocus }: RunItemProps) {
  const t = useText(runText);
  const all = useFlat(node);
  const { id, agentName, trigger, createdAt, durationMs, children } = node;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={children.length > 0 ? true : undefined}
      tabIndex={id === current ? 0 : -1}
      className={css.treeItem}
      onFocus={(event) => event.target === event.currentTarget && onFocus(id)}
    >
      <div className={css.treeRow}>
        <span className={css.treeHead}>
          <strong>{agentName}</strong>
          <Status status={statusOfRun(node)} />
          <Link href={`/runs/${id}`} className={css.runLink} tabIndex={-1}>
            {t.openRun}
          </Link>
        </span>
        <span className={css.facts}>
          <span>{level > 1 ? t.subAgent : t.triggers[trigger]}</span>
          <Age since={createdAt} />
          {durationMs === null ? null : <span>{duration(durationMs)}</span>}
        </span>
        <span className={css.facts}>
          {children.length > 0 ? (
            <>
              <span>
                {t.own} <CostOf spent={spentBy([node])} />
              </span>
              <span>
                {t.withChildren} <CostOf spent={spentBy(all)} />
              </span>
            </>
          ) : (
            <SpentBy runs={[node]} />
          )}
        </span>
      </div>
      {children.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: part of the tree
        <div role="group" className={css.treeGroup}>
          {children.map((child) => (
            <RunItem key={child.id} node={child} level={level + 1} current={current} onFocus={onFocus} />
          ))}
        </div>
      ) : null}
    </div>
  );
}
