import type { Step } from '../../services/runs/pages/steps.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';

/** `wait`: for a person, or for the first word of the model. */
export interface Segment {
  kind: 'work' | 'wait';
  fromMs: number;
  /** Null while it goes on. */
  toMs: number | null;
}

export interface TimelineRow {
  key: string;
  kind: 'answer' | 'call' | 'subAgent';
  /** What of it happened first. */
  fromMs: number;
  segments: Segment[];
  step: Step | null;
  call: Step['calls'][number] | null;
  subAgent: TreeNode | null;
  /** Of an answer, among all. */
  number: number;
}

/** What a run did, as bars, in the order in which it began. */
export function timelineRows(
  node: TreeNode,
  steps: readonly Step[],
  runningCalls: Readonly<Record<string, number>>,
): TimelineRow[] {
  const rows = steps.flatMap((step, i) => [
    answerRow(step, i + 1),
    ...step.calls.flatMap((call) => callRow(step, call, runningCalls[call.callId] ?? null) ?? []),
  ]);
  const children = node.children.flatMap((child) => subAgentRow(child) ?? []);
  return [...rows, ...(nextAnswer(node, steps, runningCalls) ?? []), ...children].sort(
    (a, b) => a.fromMs - b.fromMs,
  );
}

const NONE = { step: null, call: null, subAgent: null, number: 0 };

function answerRow(step: Step, number: number): TimelineRow {
  const fromMs = step.at - step.durationMs;
  const spokeMs = step.firstByteMs === null ? fromMs : fromMs + Math.min(step.firstByteMs, step.durationMs);
  return {
    ...{ ...NONE, key: `answer/${step.seq}`, kind: 'answer', fromMs, step, number },
    segments: [
      { kind: 'wait', fromMs, toMs: spokeMs },
      { kind: 'work', fromMs: spokeMs, toMs: step.at },
    ],
  };
}

/** Null of a call of which nothing has happened. */
function callRow(step: Step, call: Step['calls'][number], runningSince: number | null): TimelineRow | null {
  const { startedAt, endedAt, state, approvalId } = call;
  const began = startedAt ?? (endedAt === null ? runningSince : null);
  const segments: Segment[] = [];
  const isAsked = approvalId !== null || state === 'held';
  if (isAsked) segments.push({ kind: 'wait', fromMs: step.at, toMs: began ?? endedAt });
  if (began !== null) segments.push({ kind: 'work', fromMs: began, toMs: endedAt });
  const fromMs = segments[0]?.fromMs;
  if (fromMs === undefined) return null;
  return { ...NONE, key: `call/${call.callId}`, kind: 'call', fromMs, segments, step, call };
}

function subAgentRow(child: TreeNode): TimelineRow | null {
  const { id, startedAt, endedAt } = child;
  if (startedAt === null) return null;
  const segments: Segment[] = [{ kind: 'work', fromMs: startedAt, toMs: endedAt }];
  return { ...NONE, key: `run/${id}`, kind: 'subAgent', fromMs: startedAt, segments, subAgent: child };
}

/** The answer that is being made now: what is live and in no call is with the model. */
function nextAnswer(
  node: TreeNode,
  steps: readonly Step[],
  runningCalls: Readonly<Record<string, number>>,
): TimelineRow[] | null {
  if (node.state !== 'running' || node.startedAt === null || Object.keys(runningCalls).length > 0)
    return null;
  const last = steps.at(-1);
  if (last?.calls.some(({ endedAt }) => endedAt === null)) return null;
  const fromMs = Math.max(
    node.startedAt,
    last?.at ?? 0,
    ...(last?.calls.map(({ endedAt }) => endedAt ?? 0) ?? []),
  );
  const segments: Segment[] = [{ kind: 'work', fromMs, toMs: null }];
  return [{ ...NONE, key: 'answer/next', kind: 'answer', fromMs, segments, number: steps.length + 1 }];
}

interface Gap {
  fromMs: number;
  toMs: number;
}

export interface Scale {
  /** Where a moment is, from 0 at the beginning to 1 at the end. */
  at(ms: number): number;
  /** Times in which nothing was done, drawn short. */
  gaps: readonly Gap[];
}

/** A time without work is drawn short when it is longer than this, and than this part of the whole. */
const LEAST_GAP_MS = 5_000;
const LEAST_GAP_SHARE = 0.08;
/** What a short gap takes of the time that is drawn in full. */
const GAP_SHARE = 0.03;

/** Where moments stand between `fromMs` and `toMs`; with `collapse`, long times without work take little room. */
export function scaleOf(
  rows: readonly TimelineRow[],
  fromMs: number,
  toMs: number,
  collapse: boolean,
): Scale {
  const whole = Math.max(1, toMs - fromMs);
  const gaps = collapse ? gapsOf(rows, fromMs, toMs).filter((gap) => isLong(gap, whole)) : [];
  const full = whole - gaps.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0);
  const short = full === 0 ? whole : full * GAP_SHARE;
  const drawn = (ms: number) => {
    const until = Math.min(Math.max(ms, fromMs), toMs);
    let [sum, from] = [0, fromMs];
    for (const gap of gaps) {
      if (until <= gap.fromMs) break;
      const passed = (Math.min(until, gap.toMs) - gap.fromMs) / (gap.toMs - gap.fromMs);
      sum += gap.fromMs - from + passed * short;
      from = gap.toMs;
    }
    return sum + Math.max(0, until - from);
  };
  const length = Math.max(1, drawn(toMs));
  return { at: (ms) => drawn(ms) / length, gaps };
}

const isLong = ({ fromMs, toMs }: Gap, whole: number) =>
  toMs - fromMs >= LEAST_GAP_MS && toMs - fromMs >= whole * LEAST_GAP_SHARE;

/** Times between the pieces of work, in order. */
function gapsOf(rows: readonly TimelineRow[], fromMs: number, toMs: number): Gap[] {
  const work = rows
    .flatMap(({ segments }) => segments)
    .filter(({ kind }) => kind === 'work')
    .sort((a, b) => a.fromMs - b.fromMs);
  const gaps: Gap[] = [];
  let reached = fromMs;
  for (const { fromMs: begins, toMs: ends } of work) {
    if (begins > reached) gaps.push({ fromMs: reached, toMs: Math.min(begins, toMs) });
    reached = Math.max(reached, ends ?? toMs);
  }
  if (reached < toMs) gaps.push({ fromMs: reached, toMs });
  return gaps;
}
