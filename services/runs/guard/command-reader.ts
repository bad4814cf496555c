import type { EffectClass } from '../../../core-wasm/core.ts';

/** What was read of one command line: its effect classes, and what in it has them. */
export interface CommandReading {
  classes: EffectClass[];
  findings: { effect: EffectClass; because: string }[];
  /** False when a part could not be read; then it counts as everything a shell can do. */
  understood: boolean;
}

export interface CommandReader {
  read(line: string, place?: { worktree: readonly string[] }): CommandReading;
}
