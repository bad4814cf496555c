import type { ApprovalTier } from '../../../core-wasm/core.ts';

/** A tool as it is offered to the model. */
export interface HarnessTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
  tier: ApprovalTier;
  /** The effect is made once per call id by its owner, so the call may run again after a crash. */
  keyed: boolean;
  /** Meant to be called again and again with the same answer, such as a wait; loop detection leaves it out. */
  poller?: boolean;
}

export interface ToolCall {
  callId: string;
  name: string;
  input: unknown;
}

export type ToolOutcome =
  | { kind: 'result'; content: string; isError: boolean }
  /** Waits for a person: the run is suspended, and the call runs again when it is resumed. */
  | { kind: 'suspend'; waitingFor: string };

export interface ToolPort {
  /** The run's surface, in a stable order. */
  tools: readonly HarnessTool[];
  /** A tool's own failure is a result with `isError`; a rejection means that tools cannot be reached at all. */
  execute(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome>;
}
