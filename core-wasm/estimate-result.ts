export interface Range {
  p25: number;
  p75: number;
}

export interface NodeEstimate {
  key: string;
  /** Completed runs of the node's role; 0 when nothing is known about it. */
  sampleSize: number;
  costMicros: Range | null;
  durationMs: Range | null;
}

/** Null ranges mean that not one node is known. `atLeast`: some nodes are unknown, so that the total is a lower bound. */
export interface Estimate {
  nodes: NodeEstimate[];
  cost: { sumOfQuartiles: Range | null; simulated: Range | null; atLeast: boolean };
  duration: { longestPath: Range | null; simulated: Range | null; atLeast: boolean };
  knownNodes: number;
  unknownNodes: number;
  /** Keys from the first node to the last, by p75. */
  criticalPath: string[];
  draws: number;
  seed: number;
}

/** Totals alone: what a live edit needs first. */
export interface EstimateTotals {
  costMicros: Range | null;
  durationMs: Range | null;
  unknownCosts: number;
  unknownDurations: number;
  unknownNodes: number;
}
