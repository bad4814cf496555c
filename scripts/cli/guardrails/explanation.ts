import type { Explanation } from '../../../services/runs/guard/explain.ts';

/** Judges one command line. */
export type Explain = (line: string) => Explanation | Promise<Explanation>;
