import type { RunStreamItem } from '../../../services/runs/dispatch/follow-run.ts';

/** What a run has said of one of its answers. */
export interface Segment {
  /** Its number among the run's answers, from 1. */
  answer: number;
  thinking: string;
  text: string;
  /** Null where its beginning was not seen. */
  thinkingSince: number | null;
  /** How long it thought before it wrote or acted; null while it does, and where that was not seen. */
  thoughtMs: number | null;
}

export interface LiveRun {
  /** In order; the last is the answer in progress. Those before it are kept until the run's page has them. */
  segments: readonly Segment[];
  retrying: { attempt: number; errorFamily: string; message: string; delayMs: number } | null;
  /** Calls that are being made, by call id, with when they began. */
  calls: Readonly<Record<string, number>>;
  /** How long the answers that are kept were thought about, by number. */
  thoughtMs: Readonly<Record<number, number>>;
  hasLeft: boolean;
}

export const SILENT: LiveRun = { segments: [], retrying: null, calls: {}, thoughtMs: {}, hasLeft: false };

/** What is known of a run after one more item of its stream. */
export function hearing(live: LiveRun, item: RunStreamItem, at: number): LiveRun {
  switch (item.type) {
    case 'snapshot':
      return {
        ...live,
        segments: [
          ...live.segments.filter(({ answer }) => answer <= item.answered),
          { ...segmentOf(item.answered + 1), thinking: item.thinking, text: item.text },
        ],
        ...{ retrying: null, calls: {}, hasLeft: false },
      };
    case 'thinking':
    case 'text':
      return { ...live, segments: withWords(live.segments, item, at), retrying: null };
    case 'answered':
      return answered(live, item.answered, at);
    case 'toolStarted':
      return { ...live, calls: { ...live.calls, [item.callId]: at } };
    case 'toolFinished': {
      const { [item.callId]: _over, ...calls } = live.calls;
      return { ...live, calls };
    }
    case 'retrying': {
      const { attempt, errorFamily, message, delayMs } = item;
      const segments = [...live.segments.slice(0, -1), segmentOf(current(live).answer)];
      return { ...live, segments, retrying: { attempt, errorFamily, message, delayMs } };
    }
    case 'left':
      return { ...live, calls: {}, retrying: null, hasLeft: true };
  }
}

/** What of it the run's page, with so many answers, does not show. */
export function unread({ segments }: LiveRun, answersOfPage: number): Segment[] {
  return segments.filter(
    ({ answer, thinking, text }) => answer > answersOfPage && (thinking !== '' || text !== ''),
  );
}

/** An answer was kept; where the count did not grow it was a summary, whose words are nobody's to read. */
function answered(live: LiveRun, count: number, at: number): LiveRun {
  const last = closed(current(live), at);
  const kept = live.segments.slice(0, -1);
  const segments = [...(last.answer <= count ? [...kept, last] : kept), segmentOf(count + 1)];
  const thoughtMs =
    last.thoughtMs === null ? live.thoughtMs : { ...live.thoughtMs, [last.answer]: last.thoughtMs };
  return { ...live, segments, thoughtMs, retrying: null };
}

function withWords(
  segments: readonly Segment[],
  { type, text }: { type: 'thinking' | 'text'; text: string },
  at: number,
): readonly Segment[] {
  const last = segments.at(-1) ?? segmentOf(1);
  const next =
    type === 'thinking'
      ? {
          ...last,
          thinking: last.thinking + text,
          thinkingSince: last.thinking === '' ? at : last.thinkingSince,
        }
      : { ...closed(last, at), text: last.text + text };
  return [...segments.slice(0, -1), next];
}

function closed(segment: Segment, at: number): Segment {
  const { thinkingSince, thoughtMs } = segment;
  return thinkingSince === null || thoughtMs !== null
    ? segment
    : { ...segment, thoughtMs: at - thinkingSince };
}

const current = ({ segments }: LiveRun): Segment => segments.at(-1) ?? segmentOf(1);
const segmentOf = (answer: number): Segment => ({
  ...{ answer, thinking: '', text: '', thinkingSince: null, thoughtMs: null },
});
