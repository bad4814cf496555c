import { useText } from '../i18n/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NewWorkspace, newWorkspaceText } from './new-workspace.tsx';

/** Another workspace beside those that there are. */
export default function NewWorkspaceDialog({ onClose }: { onClose(): void }) {
  const t = useText(newWorkspaceText);
  return (
    <Dialog title={t.title} closeLabel={t.close} onClose={onClose}>
      <NewWorkspace onOpened={onClose} />
    </Dialog>
  );
}
