import type { Step } from '../../services/runs/pages/steps.ts';
import { CallList } from '../conversation/runs/call-line.tsx';
import { Thinking } from '../conversation/runs/thinking.tsx';
import { clockTime, count, duration, money } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import { BetweenView } from './between-view.tsx';
import { CallView, type Waits } from './call-view.tsx';
import { LazyMarkdown } from './lazy-markdown.tsx';
import css from './run.module.css';
import { runWords } from './run-words.ts';
import type { Place } from './step-search.ts';

interface StepViewProps {
  ws: string;
  runId: string;
  step: Step;
  /** Among all answers of the run. */
  number: number;
  /** Where the words are that are looked for; none while nothing is. */
  foundIn: readonly Place[];
  /** When the calls that are being made began, by call id. */
  calls: Readonly<Record<string, number>>;
  isOver: boolean;
  waits: Waits;
}

const USUAL_STOPS = ['end_turn', 'tool_use'];

/** One answer of the model with what it cost, its calls, and what came after it. */
export function StepView({ ws, runId, step, number, foundIn, calls, isOver, waits }: StepViewProps) {
  const t = useText(runWords);
  const { tokens, costMicros, durationMs, firstByteMs, thinking, text, undone, summarized, stopReason } =
    step;
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const waiting = step.calls.find(({ endedAt }) => endedAt === null);
  return (
    <li className={css.step} data-step={step.seq} data-undone={undone || undefined} tabIndex={-1}>
      <header className={css.stepHead}>
        <h2>{t.answer(number)}</h2>
        {undone ? <Badge tone="warn">{t.undone}</Badge> : null}
        {summarized ? <Badge>{t.summarized}</Badge> : null}
        {USUAL_STOPS.includes(stopReason) ? null : <Badge tone="warn">{t.stopReason(stopReason)}</Badge>}
        {foundIn.length > 0 ? (
          <span className={css.found}>{t.foundIn(foundIn.map((place) => t.places[place]).join(', '))}</span>
        ) : null}
        <span className={css.meta}>
          <span>{clockTime(step.at)}</span>
          <span title={firstByteMs === null ? undefined : t.firstByte(duration(firstByteMs))}>
            {duration(durationMs)}
          </span>
          <span>
            {count(prompt)} {t.tokensIn}, {count(tokens.output)} {t.tokensOut}
          </span>
          <span>{costMicros === null ? t.costUnknown : money(costMicros)}</span>
        </span>
      </header>
      {thinking === null ? null : (
        <Thinking id={`run-page/${runId}/${number}`} text={thinking} durationMs={null} isOn={false} />
      )}
      {text.trim() === '' ? null : <LazyMarkdown text={text} />}
      {step.calls.length > 0 ? (
        <CallList>
          {step.calls.map((call) => (
            <CallView
              key={call.callId}
              ws={ws}
              runId={runId}
              seq={step.seq}
              call={call}
              runningSince={calls[call.callId] ?? null}
              isOver={isOver}
              waits={call === waiting ? waits : null}
            />
          ))}
        </CallList>
      ) : null}
      {step.between.map((between) => (
        <BetweenView key={`${between.kind}/${between.at}`} between={between} />
      ))}
    </li>
  );
}
