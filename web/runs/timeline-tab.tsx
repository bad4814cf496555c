import { useState } from 'react';
import { Link } from 'wouter';
import type { Step } from '../../services/runs/pages/steps.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { objectOf } from '../conversation/runs/call-words.ts';
import { toolVerbs } from '../conversation/runs/text.ts';
import { clockTime, duration } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Empty } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { runWords } from './run-words.ts';
import css from './timeline.module.css';
import { type Scale, type Segment, scaleOf, type TimelineRow, timelineRows } from './timeline.ts';

interface TimelineTabProps {
  node: TreeNode;
  steps: readonly Step[];
  /** When the calls that are being made began, by call id. */
  calls: Readonly<Record<string, number>>;
}

/** What happened when: a bar for each answer, call and sub-agent; what goes on has no end yet. */
export function TimelineTab({ node, steps, calls }: TimelineTabProps) {
  const t = useText(runWords);
  const now = useNow();
  const [isShort, setShort] = useState(true);
  const rows = timelineRows(node, steps, calls);
  const from = node.startedAt ?? rows[0]?.fromMs;
  if (from === undefined || rows.length === 0)
    return (
      <Empty title={t.timelineNone}>
        <p>{t.timelineHint}</p>
      </Empty>
    );
  const to = node.endedAt ?? Math.max(now, rows.at(-1)?.fromMs ?? now);
  const scale = scaleOf(rows, Math.min(from, rows[0]?.fromMs ?? from), to, isShort);
  return (
    <div className={css.timeline}>
      <div className={css.head}>
        <label className={css.check}>
          <input type="checkbox" checked={isShort} onChange={(event) => setShort(event.target.checked)} />
          {t.collapse}
        </label>
        <span className={css.legend} aria-hidden="true">
          <span className={css.work} /> {t.works}
          <span className={css.wait} /> {t.waits}
        </span>
      </div>
      <div className={css.axis} aria-hidden="true">
        <span />
        <span className={css.ends}>
          <span>{clockTime(from)}</span>
          <span>{duration(to - from)}</span>
        </span>
      </div>
      <ol className={css.rows} aria-label={t.bars}>
        {rows.map((row) => (
          <Row
            key={row.key}
            runId={node.id}
            row={row}
            scale={scale}
            toMs={to}
            isOver={node.endedAt !== null}
          />
        ))}
      </ol>
    </div>
  );
}

interface RowProps {
  runId: string;
  row: TimelineRow;
  scale: Scale;
  toMs: number;
  isOver: boolean;
}

function Row({ runId, row, scale, toMs, isOver }: RowProps) {
  const t = useText(runWords);
  const verbs: Record<string, string> = useText(toolVerbs);
  const { call, step, subAgent, number, segments } = row;
  const label = call
    ? (verbs[call.name] ?? call.name)
    : subAgent
      ? t.subAgent(subAgent.agentName)
      : step
        ? t.answer(number)
        : t.thinkingAnswer;
  const object = call ? objectOf(call.input) : '';
  const to = subAgent ? `/runs/${subAgent.id}` : step ? `/runs/${runId}?step=${step.seq}` : null;
  return (
    <li className={css.row} data-kind={row.kind}>
      <span className={css.label}>
        {to === null ? label : <Link href={to}>{label}</Link>}{' '}
        <span className={css.object} title={object}>
          {object}
        </span>
      </span>
      <span className={css.track}>
        {scale.gaps.map(({ fromMs, toMs: end }) => (
          <span
            key={fromMs}
            className={css.gap}
            title={t.gap(duration(end - fromMs))}
            style={{
              insetInlineStart: part(scale.at(fromMs)),
              inlineSize: part(scale.at(end) - scale.at(fromMs)),
            }}
          />
        ))}
        {segments.map((segment) => (
          <span
            key={segment.kind}
            className={segment.kind === 'wait' ? css.wait : css.work}
            data-open={(segment.toMs === null && !isOver) || undefined}
            style={{
              insetInlineStart: part(scale.at(segment.fromMs)),
              inlineSize: part(scale.at(segment.toMs ?? toMs) - scale.at(segment.fromMs)),
            }}
          />
        ))}
      </span>
      <span className={css.took}>{tookText(row, toMs, isOver, t)}</span>
    </li>
  );
}

const part = (share: number) => `${(share * 100).toFixed(3)}%`;

type Words = (typeof runWords)['en'];

/** Of an answer the whole time that the model took; of a call its work, and how long it waited to be allowed. */
function tookText({ kind, segments }: TimelineRow, toMs: number, isOver: boolean, t: Words): string {
  const long = (wanted: readonly Segment[]) =>
    wanted.reduce((sum, one) => sum + (one.toMs ?? toMs) - one.fromMs, 0);
  const isOpen = !isOver && segments.some((one) => one.toMs === null);
  const shown = kind === 'answer' ? segments : segments.filter((one) => one.kind === 'work');
  if (isOpen) return `${duration(long(segments))}, ${t.goesOn}`;
  return shown.length === 0 ? t.waited(duration(long(segments))) : duration(long(shown));
}
