import type { ApprovalTier, PolicyDecision } from '../../../core-wasm/core.ts';
import type { MediaRef } from './journal.ts';

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
  /** The approval that held this call back before, if one did: whatever the rules say now, its decision counts. */
  heldBy?: string;
}

/** What was decided of one call, by which rule, and on which approval it rests if a person was asked. */
export type CallDecision = Omit<PolicyDecision, 'asked'> & { approvalId: string | null };

export type CallAdmission =
  | { kind: 'run'; decision: CallDecision }
  /** `content` is for the model. The decision is null where there was nothing to decide: the input is not valid. */
  | { kind: 'refused'; decision: CallDecision | null; content: string }
  /** A person has to be asked first. Nothing of the call has begun, and it is put before the port again later. */
  | { kind: 'suspend'; waitingFor: string };

export type ToolOutcome =
  | { kind: 'result'; content: string; isError: boolean; media?: MediaRef[] }
  /** Waits for a person: the run is suspended, and the call runs again when it is resumed. */
  | { kind: 'suspend'; waitingFor: string };

/** A rejection of either method means that tools cannot be reached at all. */
export interface ToolPort {
  /** The run's surface, in a stable order. */
  tools: readonly HarnessTool[];
  /** Whether a call may run, asked before anything of it begins. Asking again about the same call asks nobody twice. */
  admit(call: ToolCall, signal: AbortSignal): Promise<CallAdmission>;
  /** Makes a call that was admitted. A tool's own failure is a result with `isError`. */
  execute(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome>;
}
