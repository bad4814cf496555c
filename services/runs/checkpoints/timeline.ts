import type { Database } from '../../kit/database/database.ts';

/** One answer of a run's journal. */
export interface AnswerPlace {
  seq: number;
  at: number;
  /** How many answers counted before it. */
  turn: number;
  /** False once a person took the conversation back to before it. */
  counts: boolean;
  /** Names of its calls that began, reads left out. */
  tools: string[];
}

/** The run's answers in the order they came, whether or not they still count. */
export async function readTimeline(database: Database, runId: string): Promise<AnswerPlace[]> {
  const rows = await database.read({
    sql: `SELECT seq, at, kind, CASE kind WHEN 'rewind' THEN json_extract(entry, '$.turns')
        WHEN 'toolStarted' THEN json_extract(entry, '$.name') END AS value
      FROM runEntries WHERE runId = ? AND kind IN ('answer', 'toolStarted', 'rewind') ORDER BY seq`,
    args: [runId],
  });
  const all: AnswerPlace[] = [];
  let counting: AnswerPlace[] = [];
  for (const { seq, at, kind, value } of rows) {
    if (kind === 'toolStarted') counting.at(-1)?.tools.push(String(value));
    else if (kind === 'rewind') {
      for (const dropped of counting.slice(Number(value))) dropped.counts = false;
      counting = counting.slice(0, Number(value));
    } else {
      const answer = { seq: Number(seq), at: Number(at), turn: counting.length, counts: true, tools: [] };
      all.push(answer);
      counting.push(answer);
    }
  }
  return all;
}

/** Where the run stands: its last answer, and how many counted before that. Both are 0 where none has come. */
export async function standOf(
  database: Database,
  runId: string,
): Promise<{ turn: number; answerSeq: number }> {
  const [row] = await database.read({
    sql: `WITH back AS (SELECT seq, json_extract(entry, '$.turns') AS turns FROM runEntries
        WHERE runId = ? AND kind = 'rewind' ORDER BY seq DESC LIMIT 1),
      since AS (SELECT seq FROM runEntries
        WHERE runId = ? AND kind = 'answer' AND seq > coalesce((SELECT seq FROM back), 0))
      SELECT coalesce((SELECT turns FROM back), 0) + (SELECT count(*) FROM since) AS answers,
        coalesce((SELECT max(seq) FROM since), 0) AS answerSeq`,
    args: [runId, runId],
  });
  return { turn: Math.max(0, Number(row?.answers) - 1), answerSeq: Number(row?.answerSeq) };
}
