import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { Run } from '../../services/runs/runs/schema.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { FailedLooks, type Look } from '../agents/failed-looks.tsx';
import { keys, queryClient } from '../api/queries.ts';
import { flat, type RunSteps, refreshSteps, useRun, useRunSteps } from '../conversation/runs/run-data.ts';
import { useLiveRun } from '../conversation/runs/run-feed.ts';
import { useText } from '../i18n/text.ts';
import { onWorkspaceEvent } from '../live/workspace-feed.ts';
import { useMedia } from '../shell/use-media.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { CheckpointsTab } from './checkpoints-tab.tsx';
import { PromptTab } from './prompt-tab.tsx';
import css from './run.module.css';
import { RunFacts } from './run-facts.tsx';
import { RunFamily } from './run-family.tsx';
import { RunHeader } from './run-header.tsx';
import { treeQuery } from './run-queries.ts';
import { RunTabs, useRunTab } from './run-tabs.tsx';
import { runWords } from './run-words.ts';
import { StepsTab } from './steps-tab.tsx';
import { TimelineTab } from './timeline-tab.tsx';

/** One run: what it did step by step and when, what it was told, what it cost, and what can be taken back. */
export default function RunScreen({ ws, runId }: { ws: string; runId: string }) {
  const run = useRun(ws, runId);
  const tree = useQuery(treeQuery(ws, runId));
  const steps = useRunSteps(ws, runId, true);
  const node = tree.data ? flat(tree.data).find(({ id }) => id === runId) : undefined;
  const turns = steps.data?.turns ?? 0;
  // No event tells of an answer; each has its price, so that tokens and cost are asked for again with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each answer
  useEffect(() => {
    if (turns === 0) return;
    void queryClient.invalidateQueries({ queryKey: treeQuery(ws, runId).queryKey });
    void queryClient.invalidateQueries({ queryKey: keys.run(ws, runId), exact: true });
  }, [turns]);
  useStepsOnEvents(ws, runId);
  const error = [run, tree, steps].find((one) => one.error && !one.data)?.error;
  if (error)
    return (
      <Failed
        error={error}
        onRetry={() => void Promise.all([run.refetch(), tree.refetch(), steps.refetch()])}
      />
    );
  if (!run.data || !tree.data || !node || !steps.data) return <Loading />;
  return (
    <RunPage
      {...{ ws, node, run: run.data as Run, root: tree.data, steps: steps.data }}
      looks={[run, tree, steps]}
    />
  );
}

/** A run that goes on and ends between two looks is never heard: what is told of it in the workspace brings its steps as well. */
function useStepsOnEvents(ws: string, runId: string): void {
  useEffect(
    () =>
      onWorkspaceEvent(({ type, subject }) => {
        if (subject === runId && type.startsWith('run.')) refreshSteps(ws, runId);
      }),
    [ws, runId],
  );
}

interface RunPageProps {
  ws: string;
  run: Run;
  root: TreeNode;
  node: TreeNode;
  steps: RunSteps;
  looks: readonly Look[];
}

function RunPage({ ws, run, root, node, steps, looks }: RunPageProps) {
  const t = useText(runWords);
  const live = useLiveRun(ws, node);
  const [tab] = useRunTab();
  return (
    <div className={css.screen}>
      <RunHeader ws={ws} run={run} node={node} steps={steps} />
      <FailedLooks looks={looks} />
      <div className={css.columns}>
        <div className={css.main}>
          <RunTabs />
          <section id="run-panel" role="tabpanel" aria-label={t.tabs[tab]} className={css.panel}>
            {tab === 'steps' ? <StepsTab ws={ws} run={run} node={node} steps={steps} live={live} /> : null}
            {tab === 'timeline' ? <TimelineTab node={node} steps={steps.steps} calls={live.calls} /> : null}
            {tab === 'prompt' ? <PromptTab ws={ws} runId={run.id} /> : null}
            {tab === 'checkpoints' ? <CheckpointsTab ws={ws} runId={run.id} turns={steps.turns} /> : null}
          </section>
        </div>
        <RunAside>
          <RunFacts ws={ws} run={run} node={node} />
          <RunFamily root={root} runId={run.id} />
        </RunAside>
      </div>
    </div>
  );
}

/** Beside the steps; where there is no room beside them, folded above them. */
function RunAside({ children }: { children: ReactNode }) {
  const t = useText(runWords);
  const isAbove = useMedia('(width < 68rem)');
  if (!isAbove) return <aside className={css.aside}>{children}</aside>;
  return (
    <details className={css.above}>
      <summary>{t.facts}</summary>
      {children}
    </details>
  );
}
