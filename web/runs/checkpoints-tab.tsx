import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Checkpoint } from '../../services/runs/checkpoints/schema.ts';
import table from '../agents/data-table.module.css';
import { FailedLooks } from '../agents/failed-looks.tsx';
import { queryClient } from '../api/queries.ts';
import { dateTime } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import { notify } from '../ui/notices.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import css from './run.module.css';
import { checkpointsQuery, restoreCheckpoint } from './run-queries.ts';
import { runWords } from './run-words.ts';

interface CheckpointsTabProps {
  ws: string;
  runId: string;
  /** Answers so far; each may have made a checkpoint. */
  turns: number;
}

/** The files as they were before the run changed them, each time; any of them can be brought back. */
export function CheckpointsTab({ ws, runId, turns }: CheckpointsTabProps) {
  const t = useText(runWords);
  const checkpoints = useQuery(checkpointsQuery(ws, runId));
  const [chosen, setChosen] = useState<Checkpoint | null>(null);
  const { queryKey } = checkpointsQuery(ws, runId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each answer
  useEffect(() => void queryClient.invalidateQueries({ queryKey }), [turns]);
  if (checkpoints.error && !checkpoints.data)
    return <Failed error={checkpoints.error} onRetry={() => void checkpoints.refetch()} />;
  if (!checkpoints.data) return <Loading />;
  if (checkpoints.data.length === 0)
    return (
      <Empty title={t.checkpointsNone}>
        <p>{t.checkpointsHint}</p>
      </Empty>
    );
  return (
    <>
      <FailedLooks looks={[checkpoints]} />
      <table className={table.table}>
        <thead>
          <tr>
            {[t.before, t.thenCame, t.repository, t.at].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {checkpoints.data.map((one) => (
            <Row key={one.id} checkpoint={one} onRestore={() => setChosen(one)} />
          ))}
        </tbody>
      </table>
      {chosen ? <Restore ws={ws} runId={runId} checkpoint={chosen} onClose={() => setChosen(null)} /> : null}
    </>
  );
}

function Row({ checkpoint, onRestore }: { checkpoint: Checkpoint; onRestore(): void }) {
  const t = useText(runWords);
  const { cannotChange } = useMe();
  const { turn, undoId, tools, repository, at, commitId, note, counts } = checkpoint;
  const name = undoId === null ? t.beforeTurn(turn) : t.beforeUndo;
  return (
    <tr>
      <th scope="row">
        {name}
        {counts ? null : <span className={css.soft}> ({t.notCounting})</span>}
        {note === null ? null : <span className={css.note}>{note}</span>}
      </th>
      <td data-label={t.thenCame}>{tools.join(', ')}</td>
      <td data-label={t.repository}>{repository}</td>
      <td data-label={t.at}>{dateTime(at)}</td>
      <td>
        <Button
          disabledReason={cannotChange ?? (commitId === null ? t.noSnapshot : null)}
          onClick={onRestore}
        >
          {t.restore}
          <span className="visually-hidden">
            : {name}, {repository}
          </span>
        </Button>
      </td>
    </tr>
  );
}

interface RestoreProps {
  ws: string;
  runId: string;
  checkpoint: Checkpoint;
  onClose(): void;
}

function Restore({ ws, runId, checkpoint, onClose }: RestoreProps) {
  const t = useText(runWords);
  const { turn, undoId, repository } = checkpoint;
  const restore = useMutation({
    mutationFn: () => restoreCheckpoint(ws, runId, checkpoint.id),
    onSuccess: ({ files }) => {
      notify(t.restored(files.reduce((sum, { total }) => sum + total, 0)));
      void queryClient.invalidateQueries({ queryKey: checkpointsQuery(ws, runId).queryKey });
      onClose();
    },
  });
  return (
    <Dialog
      title={t.restoreTitle}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="danger" isPending={restore.isPending} onClick={() => restore.mutate()}>
            {t.restore}
          </Button>
        </>
      }
    >
      <p>
        <strong>
          {undoId === null ? t.beforeTurn(turn) : t.beforeUndo}, {repository}
        </strong>
      </p>
      <p>{t.restoreWhat}</p>
      {restore.error ? (
        <p role="alert" className={css.failure}>
          <FaultText error={restore.error} />
        </p>
      ) : null}
    </Dialog>
  );
}
