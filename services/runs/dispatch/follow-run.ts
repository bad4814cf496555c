import type { Database } from '../../kit/database/database.ts';
import { standingOf } from '../runs/store.ts';
import type { LiveItem, LiveStreams, Said } from './live-streams.ts';

/** What one who follows a run is told: first what was said before, then what is. */
export type RunStreamItem = ({ type: 'snapshot' } & Said) | LiveItem;

/** A reader so far behind is cut off, so that it cannot hold the server's memory. */
const MOST_ITEMS = 10_000;
const MOST_CHARS = 1 << 20;

/**
 * A snapshot, and what follows it without loss or repeat, until the run leaves its loop or the signal. A reader that is cut
 * off for being slow may begin again, with a snapshot.
 */
export async function* followRun(
  database: Database,
  streams: LiveStreams,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<RunStreamItem> {
  const backlog = new Backlog();
  const leave = streams.subscribe(runId, (item) => backlog.add(item));
  const stop = () => {
    leave();
    backlog.wake();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { phase, answered } = await standingOf(database, runId);
    const said = streams.said(runId);
    // In one breath with the look at what was said: what comes from here on is not in it.
    const answers = backlog.forgetWords();
    if (!said && phase !== 'live' && phase !== 'queued') backlog.add({ type: 'left' });
    yield {
      type: 'snapshot',
      ...(said ?? { answered: Math.max(answered, answers), thinking: '', text: '' }),
    };
    while (!signal.aborted && !backlog.isTooLong) {
      const item = backlog.take();
      if (item) yield item;
      else await backlog.more();
      if (item?.type === 'left') return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    leave();
  }
}

/** What a reader has still to be told; words that follow each other are one item. */
class Backlog {
  #items: LiveItem[] = [];
  #chars = 0;
  #more = Promise.withResolvers<void>();

  get isTooLong(): boolean {
    return this.#items.length > MOST_ITEMS || this.#chars > MOST_CHARS;
  }

  add(item: LiveItem): void {
    if (this.isTooLong) return;
    const last = this.#items.at(-1);
    if (isWords(item)) this.#chars += item.text.length;
    if (isWords(item) && last?.type === item.type) {
      this.#items[this.#items.length - 1] = { ...item, text: last.text + item.text };
    } else this.#items.push(item);
    this.wake();
  }

  take(): LiveItem | undefined {
    const item = this.#items.shift();
    if (item && isWords(item)) this.#chars -= item.text.length;
    return item;
  }

  /** Leaves out what a snapshot of now holds. @returns the answers that were kept according to it */
  forgetWords(): number {
    const answers = this.#items.map((item) => (item.type === 'answered' ? item.answered : 0));
    this.#items = this.#items.filter(({ type }) => type.startsWith('tool') || type === 'left');
    this.#chars = 0;
    return Math.max(0, ...answers);
  }

  /** Resolves when there may be more. */
  more(): Promise<void> {
    return this.#more.promise;
  }

  wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}

function isWords(item: LiveItem): item is Extract<LiveItem, { text: string }> {
  return item.type === 'text' || item.type === 'thinking';
}
