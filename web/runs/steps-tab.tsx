import { ArrowDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Run } from '../../services/runs/runs/schema.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { useUrlText } from '../agents/url-state.ts';
import { type LiveRun, unread } from '../conversation/runs/live-run.ts';
import type { RunSteps } from '../conversation/runs/run-data.ts';
import { runText } from '../conversation/runs/text.ts';
import { duration } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { BetweenView } from './between-view.tsx';
import type { Waits } from './call-view.tsx';
import { LazyMarkdown } from './lazy-markdown.tsx';
import css from './run.module.css';
import { runWords } from './run-words.ts';
import { StepFilter } from './step-filter.tsx';
import { hasCutOutput, hasWords, placesIn, wordsOf } from './step-search.ts';
import { StepView } from './step-view.tsx';
import { useFollow } from './use-follow.ts';

interface StepsTabProps {
  ws: string;
  run: Run;
  node: TreeNode;
  steps: RunSteps;
  live: LiveRun;
}

/** Every answer with its calls, as kept; below them the words of this moment. Follows them while one is at the end. */
export function StepsTab({ ws, run, node, steps, live }: StepsTabProps) {
  const t = useText(runWords);
  const list = useRef<HTMLOListElement>(null);
  const [wanted] = useUrlText('step');
  const [query, setQuery] = useUrlText('q');
  const isOver = node.endedAt !== null;
  const words = isOver ? [] : unread(live, steps.turns);
  const sought = wordsOf(query);
  const found = steps.steps
    .map((step, i) => ({ step, number: i + 1, places: placesIn(step, sought) }))
    .filter(({ places }) => places !== null);
  const { isAway, toEnd } = useFollow(!isOver && wanted === '' && query === '', [steps, live]);
  useStepKeys(list);
  useWantedStep(list, wanted);
  const isEmpty = steps.opening.length === 0 && steps.steps.length === 0 && words.length === 0;
  if (isEmpty)
    return (
      <Empty title={t.stepsNone}>
        <p>{run.startedAt === null ? t.stepsQueued : t.stepsBegun}</p>
      </Empty>
    );
  return (
    <>
      {steps.steps.length > 1 || query !== '' ? (
        <StepFilter
          text={query}
          all={steps.steps.length}
          shown={found.length}
          isCut={hasCutOutput(steps.steps)}
          onChange={setQuery}
        />
      ) : null}
      {steps.opening
        .filter((between) => hasWords(between, sought))
        .map((between) => (
          <BetweenView key={`${between.kind}/${between.at}`} between={between} />
        ))}
      {steps.steps.length > 0 && found.length === 0 ? (
        <Empty title={t.noneFound}>
          <p>{t.noneFoundHint(steps.steps.length)}</p>
        </Empty>
      ) : null}
      <ol ref={list} className={css.steps}>
        {found.map(({ step, number, places }) => (
          <StepView
            key={step.seq}
            ws={ws}
            runId={run.id}
            step={step}
            number={number}
            foundIn={places ?? []}
            calls={live.calls}
            isOver={isOver}
            waits={waitsFor(node)}
          />
        ))}
      </ol>
      {words.map(({ answer, thinking, text }) => (
        <div key={answer} className={css.speaking}>
          <Status status="running" label={t.answer(answer)} />
          {thinking === '' ? null : <p className={css.thinking}>{thinking}</p>}
          {text === '' ? null : <LazyMarkdown text={text} isStreaming />}
        </div>
      ))}
      <Retrying live={isOver ? null : live} />
      {isAway && !isOver ? (
        <Button className={css.jump} onClick={toEnd}>
          <ArrowDown size={15} aria-hidden /> {t.jump}
        </Button>
      ) : null}
    </>
  );
}

function Retrying({ live }: { live: LiveRun | null }) {
  const t = useText(runText);
  if (!live?.retrying) return null;
  const { attempt, delayMs, message } = live.retrying;
  return (
    <p role="status" className={css.soft}>
      {t.retrying(attempt, duration(delayMs))} {message}
    </p>
  );
}

/** A run that waits does so in its first call that has no end. */
function waitsFor({ state, waitingFor }: TreeNode): Waits {
  if (state !== 'waiting' || waitingFor === null) return null;
  return waitingFor.startsWith('run_') ? 'subAgent' : 'person';
}

/** J and K go from step to step. */
function useStepKeys(list: { current: HTMLOListElement | null }): void {
  const t = useText(runWords);
  const at = useRef(-1);
  const go = (by: number) => {
    const steps = [...(list.current?.querySelectorAll<HTMLElement>('[data-step]') ?? [])];
    const inside = steps.findIndex((step) => step.contains(document.activeElement));
    at.current = Math.min(Math.max((inside < 0 ? at.current : inside) + by, 0), steps.length - 1);
    steps[at.current]?.focus();
    steps[at.current]?.scrollIntoView({ block: 'start' });
  };
  useKeys([
    { keys: 'j', label: t.next, group: t.group, run: () => go(1) },
    { keys: 'k', label: t.previous, group: t.group, run: () => go(-1) },
  ]);
}

/** Shows the step that the address names, once. */
function useWantedStep(list: { current: HTMLOListElement | null }, wanted: string): void {
  const [shown, setShown] = useState('');
  useEffect(() => {
    if (wanted === '' || wanted === shown) return;
    const step = list.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(wanted)}"]`);
    if (!step) return;
    setShown(wanted);
    step.scrollIntoView({ block: 'start' });
    step.focus();
  });
}
