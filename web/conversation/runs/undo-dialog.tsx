import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Checkpoint, UndoResult } from '../../../services/runs/checkpoints/schema.ts';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { ask, runs } from '../../api/client.ts';
import { clockTime } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultText } from '../../ui/fault-text.tsx';
import { Field } from '../../ui/field.tsx';
import { notify, notifyFailure } from '../../ui/notices.tsx';
import { Loading } from '../../ui/states.tsx';
import { rereadSteps } from './run-data.ts';
import css from './runs.module.css';
import { undoText } from './undo-text.ts';
import { type TurnChoice, turnsToUndo } from './undo-turns.ts';

const at = runs.api.workspaces[':workspaceId'].runs[':id'];
const KINDS = ['both', 'files', 'conversation'] as const;
type Kind = (typeof KINDS)[number];

interface UndoDialogProps {
  ws: string;
  node: TreeNode;
  onClose(): void;
}

/** Takes back what a run did from one of its answers on: files, conversation, or both. */
export default function UndoDialog({ ws, node, onClose }: UndoDialogProps) {
  const t = useText(undoText);
  const checkpoints = useQuery({
    queryKey: ['checkpoints', ws, node.id],
    queryFn: () => ask(at.checkpoints.$get({ param: { workspaceId: ws, id: node.id } })),
    staleTime: 0,
  });
  const [kind, setKind] = useState<Kind>('files');
  const [turn, setTurn] = useState(0);
  const isOver = node.endedAt !== null;
  const isBusy = !isOver && node.state !== 'paused' && node.state !== 'blocked';
  const undo = useMutation({
    mutationFn: () => undoTurn(ws, node.id, { turn: isOver && kind !== 'files' ? 0 : turn, what: kind }),
    onSuccess: (result) => {
      tellUndone(ws, node.id, result, t);
      onClose();
    },
  });
  const turns = turnsToUndo((checkpoints.data?.items ?? []) as readonly Checkpoint[]);
  const reason = isBusy ? t.undoBusy : kind !== 'conversation' && turns.length === 0 ? t.undoNone : null;
  return (
    <Dialog
      title={t.undoTitle(node.agentName)}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            kind="danger"
            isPending={undo.isPending}
            disabledReason={reason}
            onClick={() => undo.mutate()}
          >
            {t.undoConfirm}
          </Button>
        </>
      }
    >
      {checkpoints.isPending ? (
        <Loading />
      ) : (
        <div className={css.form}>
          <KindChoice kind={kind} onChoose={setKind} />
          <TurnField
            turns={turns}
            turn={isOver && kind !== 'files' ? 0 : turn}
            isWhole={isOver && kind !== 'files'}
            onChoose={setTurn}
          />
          <p className={css.soft}>{reason ?? t.undoConfirmHint}</p>
          {undo.error || checkpoints.error ? (
            <p role="alert">
              <FaultText error={undo.error ?? checkpoints.error} />
            </p>
          ) : null}
        </div>
      )}
    </Dialog>
  );
}

function KindChoice({ kind, onChoose }: { kind: Kind; onChoose(kind: Kind): void }) {
  const t = useText(undoText);
  const labels: Record<Kind, string> = { both: t.undoBoth, files: t.undoFiles, conversation: t.undoTalk };
  return (
    <fieldset className={css.choices}>
      <legend>{t.undoWhat}</legend>
      {KINDS.map((one) => (
        <label key={one} className={css.choice}>
          <input type="radio" name="undo-what" checked={one === kind} onChange={() => onChoose(one)} />
          {labels[one]}
        </label>
      ))}
    </fieldset>
  );
}

interface TurnFieldProps {
  turns: readonly TurnChoice[];
  turn: number;
  /** Nothing but the whole can be taken back. */
  isWhole: boolean;
  onChoose(turn: number): void;
}

function TurnField({ turns, turn, isWhole, onChoose }: TurnFieldProps) {
  const t = useText(undoText);
  const label = ({ turn: number, tools, at: time }: TurnChoice) =>
    `${number === 0 ? t.undoStart : t.undoTurn(number, tools.join(', '))} · ${clockTime(time)}`;
  return (
    <Field label={t.undoBackTo} hint={isWhole ? t.undoEndedHint : undefined}>
      {(control) => (
        <select
          {...control}
          value={turn}
          disabled={isWhole}
          onChange={(event) => onChoose(Number(event.target.value))}
        >
          {turns.some((one) => one.turn === 0) ? null : <option value={0}>{t.undoStart}</option>}
          {turns.map((one) => (
            <option key={one.turn} value={one.turn}>
              {label(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface UndoRequest {
  turn?: number;
  checkpointId?: string;
  what: Kind;
}

async function undoTurn(workspaceId: string, id: string, json: UndoRequest): Promise<UndoResult> {
  const result = await ask(at.undo.$post({ param: { workspaceId, id }, json }));
  rereadSteps(workspaceId, id);
  return result as UndoResult;
}

/** Says what was taken back; files can be brought forward again. */
function tellUndone(
  ws: string,
  id: string,
  { files }: UndoResult,
  t: { undoDone(files: number): string; undoRedo: string },
): void {
  const total = files.reduce((sum, one) => sum + one.total, 0);
  const redo = () => {
    const again = files.map(({ checkpointId }) => undoTurn(ws, id, { checkpointId, what: 'files' }));
    void Promise.all(again).catch(notifyFailure);
  };
  notify(t.undoDone(total), { action: total > 0 ? { label: t.undoRedo, run: redo } : null });
}
