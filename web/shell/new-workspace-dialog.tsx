import { keys, queryClient } from '../api/queries.ts';
import { useText } from '../i18n/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NewWorkspace, newWorkspaceText } from './new-workspace.tsx';

/** Another workspace beside those that there are. */
export default function NewWorkspaceDialog({ onClose }: { onClose(): void }) {
  const t = useText(newWorkspaceText);
  // One that was made and not opened is there all the same.
  const close = () => {
    void queryClient.invalidateQueries({ queryKey: keys.workspaces() });
    onClose();
  };
  return (
    <Dialog title={t.title} closeLabel={t.close} onClose={close}>
      <NewWorkspace onOpened={onClose} />
    </Dialog>
  );
}
