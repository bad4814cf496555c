import { Suspense } from 'react';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { lazyPart } from '../../shell/lazy-part.ts';
import { PartBoundary } from '../../shell/part-boundary.tsx';

const UndoDialog = lazyPart('undo-dialog', () => import('./undo-dialog.tsx'));
const TakeoverDialog = lazyPart('takeover-dialog', () => import('./takeover-dialog.tsx'));

export type RunDialogKind = 'undo' | 'takeover' | 'handback';

interface RunDialogProps {
  kind: RunDialogKind;
  ws: string;
  node: TreeNode;
  onClose(): void;
}

/** What is asked before a run is taken back, taken over or given back; fetched by the first who opens it. */
export function RunDialog({ kind, ws, node, onClose }: RunDialogProps) {
  const about = { ws, node, onClose };
  return (
    <PartBoundary place={`${kind} ${node.id}`}>
      <Suspense>
        {kind === 'undo' ? (
          <UndoDialog {...about} />
        ) : (
          <TakeoverDialog {...about} isHeld={kind === 'handback'} />
        )}
      </Suspense>
    </PartBoundary>
  );
}
