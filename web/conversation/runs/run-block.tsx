import { ChevronRight, Undo2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { duration } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { useMe } from '../../shell/use-me.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { useOpen } from '../open-state.ts';
import { Elapsed } from './call-line.tsx';
import { useFlat } from './run-data.ts';
import { RunDialog } from './run-dialog.tsx';
import { RunSteps } from './run-steps.tsx';
import css from './runs.module.css';
import { CostOf } from './spent.tsx';
import { hasSpent, spentBy, statusOfRun } from './state-words.ts';
import { runText } from './text.ts';
import { TroubleLine } from './trouble-line.tsx';

interface RunBlockProps {
  ws: string;
  node: TreeNode;
  said: ReadonlySet<string>;
  /** By itself, below its parent, or as a part of its last words, whose heading says whose it is. */
  place?: 'alone' | 'nested' | 'within';
}

/** A run in the conversation: open while it works, one line once it is over or waits. */
export function RunBlock({ ws, node, said, place = 'alone' }: RunBlockProps) {
  const isAtWork = statusOfRun(node) === 'running';
  const [isOpen, toggle] = useOpen(
    `${node.id}/${isAtWork ? 'at-work' : 'at-rest'}`,
    isAtWork && place !== 'nested',
  );
  const panel = useId();
  return (
    <section className={css[place]} aria-label={node.agentName} data-run={node.id}>
      {place === 'alone' ? <Avatar name={node.agentName} kind="agent" /> : null}
      <div className={css.blockBody}>
        <div className={css.blockHead}>
          <button
            type="button"
            className={css.blockLine}
            aria-expanded={isOpen}
            aria-controls={panel}
            onClick={toggle}
          >
            <ChevronRight size={14} aria-hidden className={css.chevron} />
            {place === 'within' ? null : <strong>{node.agentName}</strong>}
            <RunFacts node={node} />
          </button>
          <RunLink node={node} />
        </div>
        {place === 'within' ? null : <TroubleLine ws={ws} node={node} />}
        <div id={panel} hidden={!isOpen}>
          {isOpen ? (
            <>
              <RunSteps ws={ws} node={node} said={said} />
              {node.endedAt !== null && node.parentRunId === null ? <UndoPart ws={ws} node={node} /> : null}
              {node.children.map((child) => (
                <RunBlock key={child.id} ws={ws} node={child} said={NOTHING} place="nested" />
              ))}
            </>
          ) : null}
        </div>
      </div>
    </section>
  );
}
const NOTHING: ReadonlySet<string> = new Set();

/** Also what is over can be taken back. */
function UndoPart({ ws, node }: { ws: string; node: TreeNode }) {
  const t = useText(runText);
  const { cannotChange } = useMe();
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button kind="quiet" disabledReason={cannotChange} onClick={() => setOpen(true)}>
        <Undo2 size={15} aria-hidden /> {t.undo}
      </Button>
      {isOpen ? <RunDialog kind="undo" ws={ws} node={node} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function RunLink({ node }: { node: TreeNode }) {
  const t = useText(runText);
  return (
    <Link href={`/runs/${node.id}`} className={css.runLink}>
      {t.openRun}
      <span className="visually-hidden"> ({node.agentName})</span>
    </Link>
  );
}

function RunFacts({ node }: { node: TreeNode }) {
  const t = useText(runText);
  const all = useFlat(node);
  const { state, liveness, durationMs, startedAt } = node;
  const isOver = node.endedAt !== null;
  const time = durationMs === null ? null : duration(durationMs);
  const words = {
    succeeded: time === null ? t.worked : t.workedFor(time),
    failed: t.failedAfter(time ?? '0 s'),
    cancelled: t.cancelledAfter(time ?? '0 s'),
  };
  const isEmpty = state === 'succeeded' && liveness === 'empty';
  const label = isEmpty ? t.endedEmpty : isOver ? words[state as keyof typeof words] : undefined;
  return (
    <span className={css.facts}>
      <Status status={isEmpty ? 'blocked' : statusOfRun(node)} {...(label !== undefined && { label })} />
      {!isOver && startedAt !== null ? <Elapsed since={startedAt} /> : null}
      {node.children.length > 0 ? <span>{t.subAgents(node.children.length)}</span> : null}
      {isOver && hasSpent(all) ? <CostOf spent={spentBy(all)} /> : null}
    </span>
  );
}
