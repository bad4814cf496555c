import type { Checkpoint } from '../../../services/runs/checkpoints/schema.ts';

export interface TurnChoice {
  turn: number;
  /** What was done right after it. */
  tools: string[];
  at: number;
}

/** The answers that files can go back to, the last one first; each once, however many repositories were snapshot there. */
export function turnsToUndo(checkpoints: readonly Checkpoint[]): TurnChoice[] {
  const turns = new Map<number, TurnChoice>();
  for (const { turn, tools, at, counts, commitId, undoId } of checkpoints) {
    if (!counts || commitId === null || undoId !== null) continue;
    const known = turns.get(turn);
    turns.set(turn, { turn, at: known?.at ?? at, tools: [...new Set([...(known?.tools ?? []), ...tools])] });
  }
  return [...turns.values()].sort((a, b) => b.turn - a.turn);
}
