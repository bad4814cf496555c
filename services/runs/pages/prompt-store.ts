import type { Database, Statement } from '../../kit/database/database.ts';
import { type Holding, holds } from '../runs/holding.ts';

/** The system prompt in pieces; `cache` marks those that may be cached. */
export type SystemPieces = readonly { text: string; cache: boolean }[];

/** What starts of a run sent before its conversation. */
export interface StartPrompt {
  /** The first start that sent this, and the last. */
  at: number;
  lastAt: number;
  system: SystemPieces;
  /** What the conversation opens with, at every start the same. */
  prompt: string;
}

/** Keeps what a start sends, in the commit of that start: once for each that differs. */
export function keepPrompt(holding: Holding, system: SystemPieces, at: number): Statement {
  const fence = holds(holding);
  const text = JSON.stringify(system);
  const digest = new Bun.CryptoHasher('sha256').update(text).digest('hex');
  return {
    sql: `INSERT INTO runPrompts (runId, digest, system, at, lastAt) SELECT ?, ?, ?, ?, ?
      WHERE ${fence.sql} ON CONFLICT (runId, digest) DO UPDATE SET lastAt = excluded.lastAt`,
    args: [holding.runId, digest, text, at, at, ...fence.args],
  };
}

/** Those of a run, the one that was used last first; none while it has not started. */
export async function readPrompts(database: Database, runId: string): Promise<StartPrompt[]> {
  const rows = await database.read({
    sql: `SELECT p.at, p.lastAt, p.system, json_extract(e.entry, '$.text') AS prompt
      FROM runPrompts p JOIN runEntries e ON e.runId = p.runId AND e.seq = 1
      WHERE p.runId = ? ORDER BY p.lastAt DESC, p.at DESC`,
    args: [runId],
  });
  return rows.map(({ at, lastAt, system, prompt }) => ({
    at: Number(at),
    lastAt: Number(lastAt),
    system: JSON.parse(String(system)) as SystemPieces,
    prompt: String(prompt),
  }));
}
