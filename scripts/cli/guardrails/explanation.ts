import type { DecidedBy, EffectClass, RuleAction } from '../../../core-wasm/core.ts';

/** What would happen to a command line or a tool call, and why; the same shape from here and from a server. */
export interface Explanation {
  command: string;
  decision: RuleAction;
  classes: EffectClass[];
  rule: DecidedBy;
  reason: string;
  /** What in the line has which effect. */
  findings: { effect: EffectClass; text: string; reason: string }[];
  /** False where the line could not be read and so counts as everything a shell can do. */
  understood: boolean;
}

export type Explain = (line: string) => Explanation | Promise<Explanation>;
