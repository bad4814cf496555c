import { Suspense } from 'react';
import { closeDialog, type ShellDialog, useShellDialog } from './dialogs.ts';
import { lazyPart } from './lazy-part.ts';
import { PartBoundary } from './part-boundary.tsx';

const Palette = lazyPart('palette', () => import('./palette.tsx'));
const KeyHelp = lazyPart('key-help', () => import('../keys/key-help.tsx'));
const NewSpace = lazyPart('new-space', () => import('./new-space.tsx'));
const EditSpace = lazyPart('edit-space', () => import('./edit-space.tsx'));
const NewWorkspaceDialog = lazyPart('new-workspace-dialog', () => import('./new-workspace-dialog.tsx'));

/** The dialog that is open over the screen, if any. */
export function ShellDialogs({ ws }: { ws: string }) {
  const dialog = useShellDialog((state) => state.dialog);
  if (dialog === null) return null;
  return (
    <PartBoundary place={JSON.stringify(dialog)}>
      <Suspense>
        <Open ws={ws} dialog={dialog} />
      </Suspense>
    </PartBoundary>
  );
}

function Open({ ws, dialog }: { ws: string; dialog: ShellDialog }) {
  switch (dialog.kind) {
    case 'palette':
      return <Palette ws={ws} onClose={closeDialog} />;
    case 'keys':
      return <KeyHelp onClose={closeDialog} />;
    case 'newWorkspace':
      return <NewWorkspaceDialog onClose={closeDialog} />;
    case 'newSpace':
      return <NewSpace ws={ws} onClose={closeDialog} />;
    case 'editSpace':
      return <EditSpace ws={ws} spaceId={dialog.spaceId} onClose={closeDialog} />;
  }
}
