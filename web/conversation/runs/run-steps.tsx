import { Scissors, Undo2 } from 'lucide-react';
import type { Step } from '../../../services/runs/pages/steps.ts';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import { FailedLooks } from '../../agents/failed-looks.tsx';
import { count, duration } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { Markdown } from '../markdown.tsx';
import { useOpen } from '../open-state.ts';
import { CallDetail } from './call-detail.tsx';
import { CallLine, CallList } from './call-line.tsx';
import { type StepCall, statusOfCall } from './call-words.ts';
import { type LiveRun, type Segment, unread } from './live-run.ts';
import { useRunSteps } from './run-data.ts';
import { useLiveRun } from './run-feed.ts';
import css from './runs.module.css';
import { runText } from './text.ts';
import { Thinking } from './thinking.tsx';

interface RunStepsProps {
  ws: string;
  node: TreeNode;
  /** What the run has said in messages, which is not said a second time here. */
  said: ReadonlySet<string>;
}

/** What a run did and says: the steps that are kept, then the words of this moment. */
export function RunSteps({ ws, node, said }: RunStepsProps) {
  const t = useText(runText);
  const live = useLiveRun(ws, node);
  const steps = useRunSteps(ws, node.id, true);
  const words = steps.data && !isSettled(node, steps) ? unread(live, steps.data.turns) : [];
  const isOver = node.endedAt !== null;
  return (
    <div className={css.steps}>
      <FailedLooks looks={[steps]} />
      {(steps.data?.steps ?? []).map((step, i) => (
        <StepView key={step.seq} node={node} step={step} number={i + 1} live={live} said={said} />
      ))}
      {words.map((segment) => (
        <SegmentView key={`live/${segment.answer}`} runId={node.id} segment={segment} said={said} />
      ))}
      {!isOver && live.retrying ? (
        <p className={css.soft} role="status">
          {t.retrying(live.retrying.attempt, duration(live.retrying.delayMs))}{' '}
          <span lang="en">{live.retrying.message}</span>
        </p>
      ) : null}
    </div>
  );
}

/** Once a run is over, its page has all that will ever be kept of it; what else was heard was not kept. */
function isSettled({ endedAt }: TreeNode, { isFetching }: { isFetching: boolean }): boolean {
  return endedAt !== null && !isFetching;
}

interface StepViewProps {
  node: TreeNode;
  step: Step;
  /** Among all of the run's answers. */
  number: number;
  live: LiveRun;
  said: ReadonlySet<string>;
}

function StepView({ node, step, number, live, said }: StepViewProps) {
  const t = useText(runText);
  const { thinking, text, calls, between, undone } = step;
  return (
    <div className={undone ? css.undone : undefined}>
      {undone ? (
        <p className={css.soft}>
          <Undo2 size={14} aria-hidden /> {t.undoneStep}
        </p>
      ) : null}
      {thinking ? (
        <Thinking
          id={`${node.id}/${number}`}
          text={thinking}
          durationMs={live.thoughtMs[number] ?? null}
          isOn={false}
        />
      ) : null}
      {text.trim() !== '' && !said.has(text.trim()) ? <Markdown text={text} /> : null}
      {calls.length > 0 ? (
        <CallList>
          {calls.map((call) => (
            <RunCall
              key={call.callId}
              node={node}
              call={call}
              runningSince={live.calls[call.callId] ?? null}
            />
          ))}
        </CallList>
      ) : null}
      {between.map((one) => (
        <BetweenLine key={`${one.kind}/${one.at}`} {...one} />
      ))}
    </div>
  );
}

interface RunCallProps {
  node: TreeNode;
  call: StepCall;
  runningSince: number | null;
}

function RunCall({ node, call, runningSince }: RunCallProps) {
  const t = useText(runText);
  const [isOpen, toggle] = useOpen(`${node.id}/${call.callId}`);
  const status = statusOfCall(call, {
    isHeard: runningSince !== null,
    isRunOver: node.endedAt !== null,
    isDelegated: node.waitingFor?.startsWith('run_') ?? false,
  });
  const { output, outputChars } = call;
  return (
    <CallLine call={call} status={status} runningSince={runningSince} isOpen={isOpen} onToggle={toggle}>
      <CallDetail call={call} rest={t.cut(count(output?.length ?? 0), count(outputChars ?? 0))} />
    </CallLine>
  );
}

function SegmentView({
  runId,
  segment,
  said,
}: {
  runId: string;
  segment: Segment;
  said: ReadonlySet<string>;
}) {
  const { answer, thinking, text, thoughtMs } = segment;
  return (
    <div>
      {thinking === '' ? null : (
        <Thinking
          id={`${runId}/${answer}`}
          text={thinking}
          durationMs={thoughtMs}
          isOn={text === '' && thoughtMs === null}
        />
      )}
      {text.trim() === '' || said.has(text.trim()) ? null : <Markdown text={text} isStreaming />}
    </div>
  );
}

/** What came between two answers. What people said stands in the conversation by itself. */
function BetweenLine(between: Step['between'][number]) {
  const t = useText(runText);
  if (between.kind === 'summary')
    return (
      <details className={css.between}>
        <summary>
          <Scissors size={14} aria-hidden /> {t.summary(between.turns)}
        </summary>
        <Markdown text={between.text} />
      </details>
    );
  if (between.kind === 'undo')
    return (
      <p className={css.between}>
        <Undo2 size={14} aria-hidden /> {t.undone(between.turns)}
      </p>
    );
  return null;
}
