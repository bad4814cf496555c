import type { Entry } from '../harness/journal.ts';

/** One committed step of a run. */
export interface LoggedEntry {
  seq: number;
  at: number;
  entry: Entry;
}
