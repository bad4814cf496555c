import { Ellipsis, Hand, Pause, Square } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { ago } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { useKeys } from '../../keys/registry.ts';
import { useMe } from '../../shell/use-me.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { notify, notifyFailure } from '../../ui/notices.tsx';
import { Status } from '../../ui/status.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { useNow } from '../../ui/use-now.ts';
import { useNames } from '../names.ts';
import { conversationText } from '../text.ts';
import { Elapsed } from './call-line.tsx';
import { actOnRun, useRunAction } from './run-actions.ts';
import { useFlat, useRun } from './run-data.ts';
import { RunDialog, type RunDialogKind } from './run-dialog.tsx';
import css from './runs.module.css';
import { SpentBy } from './spent.tsx';
import { atRun, statusOfRun } from './state-words.ts';
import { runText } from './text.ts';
import { ResumeButton } from './trouble-line.tsx';

/** Who is at work in a conversation, with what one can do about it. Nothing where nobody is. */
export function RunBar({ ws, runs }: { ws: string; runs: readonly TreeNode[] }) {
  const t = useText(runText);
  const groups = useText(conversationText);
  const open = runs.filter(({ endedAt }) => endedAt === null);
  const newest = open.findLast(({ state }) => state === 'running' || state === 'queued');
  useKeys([
    {
      ...{ keys: 'Escape', label: t.stop, group: groups.conversation },
      when: () => newest !== undefined && document.querySelector(':popover-open') === null,
      run: () => newest && void stop(ws, newest, t.stopped),
    },
  ]);
  if (open.length === 0) return null;
  return (
    <section className={css.bar} aria-label={t.atWorkHere}>
      {open.map((node) => (
        <RunRow key={node.id} ws={ws} node={node} />
      ))}
    </section>
  );
}

async function stop(ws: string, { id, agentName }: TreeNode, said: (who: string) => string): Promise<void> {
  try {
    await actOnRun(ws, id, 'cancel');
    notify(said(agentName));
  } catch (error) {
    notifyFailure(error);
  }
}

type Dialogue = RunDialogKind | null;
type MenuChoice = 'open' | 'takeover' | 'undo';

function RunRow({ ws, node }: { ws: string; node: TreeNode }) {
  const all = useFlat(node);
  const [dialogue, setDialogue] = useState<Dialogue>(null);
  return (
    <div className={css.barRow}>
      <div className={css.barFacts}>
        <strong>{node.agentName}</strong>
        <Status status={statusOfRun(node)} />
        {node.startedAt === null ? null : <Elapsed since={node.startedAt} />}
        <SpentBy runs={all} />
        <RunStanding ws={ws} node={node} />
      </div>
      <RunButtons ws={ws} node={node} onOpen={setDialogue} />
      {dialogue ? <RunDialog kind={dialogue} {...{ ws, node }} onClose={() => setDialogue(null)} /> : null}
    </div>
  );
}

/** Who holds it, who wants it to pause, and when it goes on by itself. */
function RunStanding({ ws, node }: { ws: string; node: TreeNode }) {
  const t = useText(runText);
  const me = useMe().actor;
  const nameOf = useNames(ws);
  const now = useNow();
  const run = useRun(ws, node.id).data;
  if (!run) return null;
  if (run.takenOverBy !== null)
    return <span>{run.takenOverBy === me ? t.heldByYou : t.heldBy(nameOf(run.takenOverBy).name)}</span>;
  if (run.pauseRequestedBy !== null && node.state === 'running') return <span>{t.pausing}</span>;
  if (run.resumeAt !== null && node.state !== 'running')
    return <span>{t.resumesAt(ago(run.resumeAt, now))}</span>;
  return null;
}

function RunButtons({ ws, node, onOpen }: { ws: string; node: TreeNode; onOpen(what: Dialogue): void }) {
  const t = useText(runText);
  const { actor: me, cannotChange } = useMe();
  const run = useRun(ws, node.id).data;
  const action = useRunAction(ws, node.id);
  const isPending = (one: string) => action.isPending && action.variables === one;
  const at = atRun(node);
  const isParked = at.state === 'paused' || at.state === 'blocked';
  const isHeld = run?.takenOverBy != null;
  const buttons = useKeptFocus<HTMLDivElement>(placeToWrite);
  return (
    <div ref={buttons} className={css.barActions}>
      {isParked && isHeld && run.takenOverBy === me ? (
        <Button kind="primary" onClick={() => onOpen('handback')}>
          <Hand size={15} aria-hidden /> {t.handBack}
        </Button>
      ) : null}
      {isParked && !isHeld ? <ResumeButton ws={ws} runId={at.id} /> : null}
      {node.state === 'running' ? (
        <IconButton
          label={t.pause}
          icon={<Pause size={15} aria-hidden />}
          disabledReason={cannotChange}
          isPending={isPending('pause')}
          onClick={() => action.mutate('pause')}
        />
      ) : null}
      <Button
        kind="quiet"
        title={t.stopTip}
        disabledReason={cannotChange}
        isPending={isPending('cancel')}
        onClick={() => action.mutate('cancel')}
      >
        <Square size={14} aria-hidden /> {t.stop}
      </Button>
      <RunMenu node={node} isHeld={isHeld} isReadOnly={cannotChange !== null} onOpen={onOpen} />
    </div>
  );
}

const placeToWrite = (part: Element) => part.closest('section')?.parentElement?.querySelector('textarea');

interface RunMenuProps {
  node: TreeNode;
  isHeld: boolean;
  isReadOnly: boolean;
  onOpen(what: Dialogue): void;
}

function RunMenu({ node, isHeld, isReadOnly, onOpen }: RunMenuProps) {
  const t = useText(runText);
  const [, navigate] = useLocation();
  const items = [
    { value: 'open' as const, label: t.openRun },
    ...(node.startedAt !== null && !isHeld && !isReadOnly
      ? [{ value: 'takeover' as const, label: t.takeOver }]
      : []),
    ...(isReadOnly ? [] : [{ value: 'undo' as const, label: t.undo }]),
  ];
  return (
    <Menu<MenuChoice>
      label={t.moreOf(node.agentName)}
      button={<Ellipsis size={16} aria-hidden />}
      items={items}
      onChoose={(choice) => (choice === 'open' ? navigate(`/runs/${node.id}`) : onOpen(choice))}
    />
  );
}
