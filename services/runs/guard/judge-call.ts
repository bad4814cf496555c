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
 * @param guardrails of the run's own agent, and of every other agent in whose name it works: the strictest counts
 * @throws Fault a retryable one of whoever was asked for the guardrails
 */
export async function judgeCall(
  own: CapabilityProfile,
  tool: ToolFacts,
  effects: readonly EffectClass[],
  guardrails: () => Promise<readonly [GuardrailFacts, ...GuardrailFacts[]]>,
): Promise<JudgedCall> {
  const call = { tool, tier: tool.tier, effects };
  if (own.pinned.includes(tool.name)) {
    const decision = decideCall({ ...call, profiles: [own], rules: [], autonomy: 'actWithApproval' });
    return { decision, whenNobody: 'wait' };
  }
  try {
    const all = await guardrails();
    const decisions = all.map(({ mode, autonomy, rules }) => {
      const profiles = mode === own.mode ? [own] : [own, capabilityProfile(mode)];
      return decideCall({ ...call, profiles, rules, autonomy });
    });
    return { decision: strictestOf(decisions), whenNobody: all[0].whenNobody };
  } catch (error) {
    if (error instanceof Fault && error.retryable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const reason = `What holds in this space now could not be read: ${why}`;
    // Under no profile at all everything is denied.
    const decision = decideCall({ ...call, profiles: [], rules: [], autonomy: 'proposeOnly' });
    return { decision: { ...decision, reason }, whenNobody: 'refuse' };
  }
}

/** A deny before an ask before an allow; whatever any of them asks is asked. */
function strictestOf(decisions: readonly PolicyDecision[]): PolicyDecision {
  const asking = decisions.filter(({ decision }) => decision === 'ask');
  const found = decisions.find(({ decision }) => decision === 'deny') ?? asking[0] ?? decisions[0];
  if (found === undefined) throw new Error('there is no decision to choose from');
  if (found.decision !== 'ask') return found;
  const asked = [...new Set(asking.flatMap((decision) => decision.asked))];
  const reason = [...new Set(asking.map((decision) => decision.reason))].join(' ');
  return { ...found, asked, reason };
}
