import { useMutation } from '@tanstack/react-query';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { dropDraft, useDraft } from '../../composer/drafts.ts';
import { faultSentence } from '../../i18n/fault-words.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultText } from '../../ui/fault-text.tsx';
import { Field } from '../../ui/field.tsx';
import { handBack, takeOver } from './run-actions.ts';
import css from './runs.module.css';
import { takeoverText } from './takeover-text.ts';

interface TakeoverDialogProps {
  ws: string;
  node: TreeNode;
  /** The person holds it already, and opens this to give it back. */
  isHeld: boolean;
  onClose(): void;
}

/** Takes a run's work over, says where it is, and gives it back with a note. */
export default function TakeoverDialog({ ws, node, isHeld, onClose }: TakeoverDialogProps) {
  const t = useText(takeoverText);
  const take = useMutation({ mutationFn: () => takeOver(ws, node.id) });
  const draftKey = `handback/${node.id}`;
  const [{ text: note }, change] = useDraft(draftKey);
  const give = useMutation({
    mutationFn: (text: string) => handBack(ws, node.id, text),
    onSuccess: () => {
      dropDraft(draftKey);
      onClose();
    },
  });
  const taken = take.data;
  if (!isHeld && !taken)
    return (
      <Dialog
        title={t.takeoverTitle(node.agentName)}
        closeLabel={t.close}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{t.cancel}</Button>
            <Button kind="primary" isPending={take.isPending} onClick={() => take.mutate()}>
              {take.isPending ? t.takingOver : t.takeoverNow}
            </Button>
          </>
        }
      >
        <p>{t.takeoverWhat}</p>
        {taken === null ? <p role="alert">{t.stillBusy}</p> : null}
        {take.error ? (
          <p role="alert">
            <FaultText error={take.error} />
          </p>
        ) : null}
      </Dialog>
    );
  return (
    <Dialog
      title={isHeld ? t.handBackTitle(node.agentName) : t.heldTitle(node.agentName)}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{isHeld ? t.cancel : t.close}</Button>
          <Button kind="primary" isPending={give.isPending} onClick={() => give.mutate(note)}>
            {t.handBack}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        {taken ? <HeldPlaces worktrees={taken.worktrees} /> : null}
        <Field label={t.note} hint={t.noteHint} error={give.error && faultSentence(give.error)}>
          {(control) => (
            <textarea
              {...control}
              rows={4}
              value={note}
              onChange={({ target }) => change({ text: target.value })}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}

function HeldPlaces({
  worktrees,
}: {
  worktrees: readonly { repository: string; path: string; branch: string }[];
}) {
  const t = useText(takeoverText);
  if (worktrees.length === 0) return <p>{t.heldNothing}</p>;
  return (
    <div>
      <p>{t.heldWhere}</p>
      <ul className={css.paths}>
        {worktrees.map(({ repository, path, branch }) => (
          <li key={path}>
            <span>
              <strong>{repository}</strong> <code>{path}</code> ({t.branch(branch)})
            </span>
            <CopyButton isIcon label={path} text={() => path} />
          </li>
        ))}
      </ul>
    </div>
  );
}
