import { ClipboardCopy, Download, Ellipsis, Hand, Pause, Play, Square, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Steps } from '../../services/runs/pages/steps.ts';
import type { Run } from '../../services/runs/runs/schema.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { useNames } from '../conversation/names.ts';
import { useRunAction } from '../conversation/runs/run-actions.ts';
import { RunDialog, type RunDialogKind } from '../conversation/runs/run-dialog.tsx';
import { statusOfRun } from '../conversation/runs/state-words.ts';
import { ago, clockTime } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { useFamilyWords } from '../ui/error-family.ts';
import { Menu } from '../ui/menu.tsx';
import { notify, notifyFailure } from '../ui/notices.tsx';
import { Status } from '../ui/status.tsx';
import { useNow } from '../ui/use-now.ts';
import { visibleText } from '../ui/visible-text.ts';
import css from './run.module.css';
import { wholeSteps } from './run-queries.ts';
import { runWords } from './run-words.ts';
import { saveFile } from './save-file.ts';
import { useRunText } from './use-run-text.ts';

type Open = RunDialogKind | null;
type More = 'takeover' | 'undo' | 'copy' | 'download';

interface RunHeaderProps {
  ws: string;
  run: Run;
  node: TreeNode;
  steps: Steps;
}

/** Whose run it is, how it stands, and what can be done about it. */
export function RunHeader({ ws, run, node, steps }: RunHeaderProps) {
  const t = useText(runWords);
  const [open, setOpen] = useState<Open>(null);
  return (
    <header className={css.head}>
      <div className={css.title}>
        <Avatar name={run.agentName} kind="agent" />
        <h1>{t.runOf(run.agentName)}</h1>
        <Status status={statusOfRun(node)} />
        <span className={css.soft}>{clockTime(run.createdAt)}</span>
      </div>
      <Actions run={run} node={node} ws={ws} steps={steps} onOpen={setOpen} />
      <Standing ws={ws} run={run} node={node} />
      {open ? <RunDialog kind={open} {...{ ws, node }} onClose={() => setOpen(null)} /> : null}
    </header>
  );
}

function Actions({ ws, run, node, steps, onOpen }: RunHeaderProps & { onOpen(open: Open): void }) {
  const t = useText(runWords);
  const me = useMe();
  const action = useRunAction(ws, run.id);
  const isPending = (one: string) => action.isPending && action.variables === one;
  const isOver = node.endedAt !== null;
  const isHeld = run.takenOverBy !== null;
  const isParked = node.state === 'paused' || node.state === 'blocked';
  const textOf = useRunText(run, node);
  const copy = () => navigator.clipboard.writeText(textOf(steps)).then(() => notify(t.copied), notifyFailure);
  const download = async () => {
    const name = `${run.agentName}-${run.id}.md`;
    saveFile(name, textOf(await wholeSteps(ws, run.id)), 'text/markdown');
    notify(t.downloaded(name));
  };
  const choose = (what: More) => {
    if (what === 'copy') void copy();
    else if (what === 'download') void download().catch(notifyFailure);
    else if (me.cannotChange === null) onOpen(what);
    else notify(me.cannotChange);
  };
  const hint = me.cannotChange === null ? {} : { hint: me.cannotChange };
  const items = [
    ...(!isOver && run.startedAt !== null && !isHeld
      ? [{ value: 'takeover' as const, label: t.takeOver, icon: <Hand size={15} aria-hidden />, ...hint }]
      : []),
    { value: 'undo' as const, label: t.undo, icon: <Undo2 size={15} aria-hidden />, ...hint },
    { value: 'copy' as const, label: t.copyRun, icon: <ClipboardCopy size={15} aria-hidden /> },
    { value: 'download' as const, label: t.download, icon: <Download size={15} aria-hidden /> },
  ];
  return (
    <div className={css.actions}>
      {isHeld && run.takenOverBy === me.actor ? (
        <Button kind="primary" disabledReason={me.cannotChange} onClick={() => onOpen('handback')}>
          <Hand size={15} aria-hidden /> {t.handBack}
        </Button>
      ) : null}
      {isParked && !isHeld ? (
        <Button
          disabledReason={me.cannotChange}
          isPending={isPending('resume')}
          onClick={() => action.mutate('resume')}
        >
          <Play size={15} aria-hidden /> {t.resume}
        </Button>
      ) : null}
      {node.state === 'running' ? (
        <Button
          disabledReason={me.cannotChange}
          isPending={isPending('pause')}
          onClick={() => action.mutate('pause')}
        >
          <Pause size={15} aria-hidden /> {t.pause}
        </Button>
      ) : null}
      {isOver ? null : (
        <Button
          disabledReason={me.cannotChange}
          isPending={isPending('cancel')}
          onClick={() => action.mutate('cancel')}
        >
          <Square size={14} aria-hidden /> {t.stop}
        </Button>
      )}
      <Menu label={t.more} button={<Ellipsis size={16} aria-hidden />} items={items} onChoose={choose} />
    </div>
  );
}

/** Why it does not go on, who holds it, and what it came to. */
function Standing({ ws, run, node }: { ws: string; run: Run; node: TreeNode }) {
  const t = useText(runWords);
  const nameOf = useNames(ws);
  const me = useMe();
  const now = useNow();
  const { waitingFor, takenOverBy, resumeAt, pauseRequestedBy, errorFamily, summary } = run;
  const isOff = node.state === 'paused' || node.state === 'blocked' || node.state === 'failed';
  return (
    <div className={css.standing}>
      {takenOverBy === null ? null : (
        <p>{takenOverBy === me.actor ? t.heldByYou : t.heldBy(nameOf(takenOverBy).name)}</p>
      )}
      {pauseRequestedBy !== null && node.state === 'running' ? <p>{t.pausing}</p> : null}
      {node.state === 'waiting' && waitingFor !== null ? (
        <p>
          {waitingFor.startsWith('run_') ? t.waitsForRun : t.waitsForYou}{' '}
          <Link href={waitingFor.startsWith('run_') ? `/runs/${waitingFor}` : `/inbox/${waitingFor}`}>
            {waitingFor.startsWith('run_') ? t.openThat : t.decide}
          </Link>
        </p>
      ) : null}
      {isOff && (errorFamily !== null || (summary && takenOverBy === null)) ? (
        <p className={node.state === 'failed' ? css.failure : undefined}>
          {errorFamily === null ? null : <WentWrong family={errorFamily} />}
          {summary ? (
            <span lang="en" className={errorFamily === null ? undefined : css.says}>
              {visibleText(summary)}
            </span>
          ) : null}
        </p>
      ) : null}
      {isOff && resumeAt !== null ? <p>{t.resumesAt(ago(resumeAt, now))}</p> : null}
    </div>
  );
}

function WentWrong({ family }: { family: string }) {
  const { label, mend } = useFamilyWords()(family);
  return (
    <>
      <strong>{label}.</strong> {mend}
    </>
  );
}
