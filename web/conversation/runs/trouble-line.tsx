import { Play } from 'lucide-react';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { ago } from '../../i18n/format.ts';
import { texts, useText } from '../../i18n/text.ts';
import { useMe } from '../../shell/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { useNow } from '../../ui/use-now.ts';
import { useNames } from '../names.ts';
import { FamilyLine } from './family-line.tsx';
import { useRunAction } from './run-actions.ts';
import { useRun } from './run-data.ts';
import css from './runs.module.css';
import { atRun } from './state-words.ts';
import { runText } from './text.ts';

const words = texts(
  {
    asks: 'Waits for your answer, above or in the inbox',
    asksBelow: (who: string) => `Waits for a sub-agent: ${who} waits for your answer, above or in the inbox`,
    waitsBelow: (who: string) => `Waits for a sub-agent: ${who}`,
    pausedBy: (who: string) => `Paused by ${who}`,
    paused: 'Paused',
    stalled: 'Nothing was heard of it for long. It may go on by itself.',
    goesOn: (when: string) => `It goes on by itself ${when}.`,
  },
  {
    asks: 'Attend votre réponse, plus haut ou dans la boîte de réception',
    asksBelow: (who: string) =>
      `Attend un sous-agent\u202f: ${who} attend votre réponse, plus haut ou dans la boîte de réception`,
    waitsBelow: (who: string) => `Attend un sous-agent\u202f: ${who}`,
    pausedBy: (who: string) => `Mis en pause par ${who}`,
    paused: 'En pause',
    stalled: 'Aucune nouvelle depuis longtemps. Il peut continuer de lui-même.',
    goesOn: (when: string) => `Il continue de lui-même ${when}.`,
  },
);

/** Why a run does not go on, where that is not plain, and the way on; of a run that waits for another, what holds that one up. */
export function TroubleLine({ ws, node }: { ws: string; node: TreeNode }) {
  const t = useText(words);
  const at = atRun(node);
  const isBelow = at !== node;
  // What a step of a plan came to is told where the plan is; of other runs a notice in the conversation has the details.
  const isTold = node.trigger !== 'pipelineStep';
  if (at.state === 'waiting')
    return <p className={css.soft}>{isBelow ? t.asksBelow(at.agentName) : t.asks}</p>;
  const below = isBelow ? <p className={css.soft}>{t.waitsBelow(at.agentName)}</p> : null;
  if (at.state === 'paused' || at.state === 'blocked')
    return (
      <>
        {below}
        <StoppedLine ws={ws} node={at} isTold={isTold} />
      </>
    );
  if (at.state === 'running' && at.liveness === 'stalled') return <p className={css.soft}>{t.stalled}</p>;
  if (at.state === 'failed' && at.errorFamily !== null)
    return <FamilyLine family={at.errorFamily} detail={isTold ? null : at.summary} />;
  return below;
}

/** A run that stopped and is not over: who or what stopped it, when it goes on by itself, and the button. */
function StoppedLine({ ws, node, isTold }: { ws: string; node: TreeNode; isTold: boolean }) {
  const t = useText(words);
  const nameOf = useNames(ws);
  const now = useNow();
  const run = useRun(ws, node.id).data;
  const isHeld = run?.takenOverBy != null;
  const by = run?.pauseRequestedBy ?? null;
  const part = useKeptFocus<HTMLDivElement>(lineOfRun);
  return (
    <div ref={part} className={css.stopped}>
      {node.errorFamily !== null ? (
        <FamilyLine family={node.errorFamily} detail={isTold ? null : node.summary} />
      ) : isHeld ? null : (
        <p className={css.soft}>{by === null ? t.paused : t.pausedBy(nameOf(by).name)}</p>
      )}
      {run?.resumeAt != null ? <p className={css.soft}>{t.goesOn(ago(run.resumeAt, now))}</p> : null}
      {run && !isHeld ? <ResumeButton ws={ws} runId={node.id} /> : null}
    </div>
  );
}

const lineOfRun = (part: Element) => part.closest('section')?.querySelector('button');

/** Lets a run that stopped go on. */
export function ResumeButton({ ws, runId }: { ws: string; runId: string }) {
  const t = useText(runText);
  const action = useRunAction(ws, runId);
  const { cannotChange } = useMe();
  return (
    <Button
      disabledReason={cannotChange}
      isPending={action.isPending}
      onClick={() => action.mutate('resume')}
    >
      <Play size={15} aria-hidden /> {t.resume}
    </Button>
  );
}
