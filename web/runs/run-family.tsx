import { Link } from 'wouter';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { spentBy, statusOfRun } from '../conversation/runs/state-words.ts';
import { money } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Status } from '../ui/status.tsx';
import css from './run.module.css';
import { runWords } from './run-words.ts';

/** The tree that the run belongs to, where there is more of it than the run. */
export function RunFamily({ root, runId }: { root: TreeNode; runId: string }) {
  const t = useText(runWords);
  if (root.children.length === 0) return null;
  return (
    <nav className={css.card} aria-label={t.family}>
      <h2>{t.family}</h2>
      <ul>
        <Member node={root} runId={runId} />
      </ul>
    </nav>
  );
}

function Member({ node, runId }: { node: TreeNode; runId: string }) {
  const t = useText(runWords);
  const { micros, isPartial } = spentBy([node]);
  return (
    <li className={css.member}>
      <Link
        href={`/runs/${node.id}`}
        aria-current={node.id === runId ? 'page' : undefined}
        className={css.memberLink}
      >
        <span>{node.agentName}</span>
        <Status status={statusOfRun(node)} isShapeOnly />
        <span className={css.soft}>{isPartial && micros === 0 ? t.costUnknown : money(micros)}</span>
      </Link>
      {node.children.length > 0 ? (
        <ul>
          {node.children.map((child) => (
            <Member key={child.id} node={child} runId={runId} />
          ))}
        </ul>
      ) : null}
    </li>
  );
}
