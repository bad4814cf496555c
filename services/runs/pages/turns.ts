/** What numbers the answers of a run: `turns` of a summary or of an undoing is how many of the first it is about. */
export interface Mark {
  seq: number;
  kind: 'answer' | 'compaction' | 'rewind';
  turns: number | null;
}

/** One answer among those that counted when it came. */
export interface Turn {
  /** Number of the answer's entry. */
  seq: number;
  /** From 1; the number of one that was undone is given again. */
  turn: number;
  /** A person took the conversation back to before it. */
  undone: boolean;
  /** A summary stands for it in what the model is sent. */
  summarized: boolean;
}

/** The answers of a run, with what has become of each. */
export function turnsOf(marks: readonly Mark[]): Turn[] {
  const all: Turn[] = [];
  let counting: Turn[] = [];
  let summaries: number[] = [];
  for (const { seq, kind, turns } of marks) {
    if (kind === 'answer') {
      const turn = { seq, turn: counting.length + 1, undone: false, summarized: false };
      all.push(turn);
      counting.push(turn);
    } else if (kind === 'compaction') {
      summaries.push(turns ?? 0);
    } else {
      for (const dropped of counting.slice(turns ?? 0)) dropped.undone = true;
      counting = counting.slice(0, turns ?? 0);
      // A summary of more than is left is gone with it, and what it stood for counts as it is.
      summaries = summaries.filter((covered) => covered <= counting.length);
    }
  }
  for (const turn of counting.slice(0, Math.max(0, ...summaries))) turn.summarized = true;
  return all;
}
