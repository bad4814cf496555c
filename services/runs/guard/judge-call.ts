import {
  type CapabilityProfile,
  capabilityProfile,
  decideCall,
  type EffectClass,
  type PolicyDecision,
  type ToolFacts,
} from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';
import type { GuardrailFacts, WhenNobody } from '../peers/spaces-port.ts';

export interface JudgedCall {
  decision: PolicyDecision;
  /** Whether an action that has to be asked waits when nobody who may decide is there. */
  whenNobody: WhenNobody;
}

/**
 * Judges one call by the run's own profile, by the mode that its space has now, by the space's autonomy and by the rules.
 * What the run's own mode pins needs nobody's word, or a change of the space could silence what the run is to deliver.
 * Guardrails that cannot be read deny.
 * @throws Fault a retryable one of whoever was asked for the guardrails
 */
export async function judgeCall(
  own: CapabilityProfile,
  tool: ToolFacts,
  effects: readonly EffectClass[],
  guardrails: () => Promise<GuardrailFacts>,
): Promise<JudgedCall> {
  const call = { tool, tier: tool.tier, effects };
  if (own.pinned.includes(tool.name)) {
    const decision = decideCall({ ...call, profiles: [own], rules: [], autonomy: 'actWithApproval' });
    return { decision, whenNobody: 'wait' };
  }
  try {
    const { mode, autonomy, rules, whenNobody } = await guardrails();
    const profiles = mode === own.mode ? [own] : [own, capabilityProfile(mode)];
    return { decision: decideCall({ ...call, profiles, rules, autonomy }), whenNobody };
  } catch (error) {
    if (error instanceof Fault && error.retryable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const reason = `What holds in this space now could not be read: ${why}`;
    // Under no profile at all everything is denied.
    const decision = decideCall({ ...call, profiles: [], rules: [], autonomy: 'proposeOnly' });
    return { decision: { ...decision, reason }, whenNobody: 'refuse' };
  }
}
