import { z } from 'zod';
import { type ApprovalTier, type CapabilityProfile, EffectClass } from './profile.ts';
import { isCallAllowed, type ToolFacts } from './surface.ts';

export const AUTONOMY = ['proposeOnly', 'actWithApproval', 'actFreely'] as const;
export const Autonomy = z.enum(AUTONOMY);
export type Autonomy = z.infer<typeof Autonomy>;

/** From the widest to the most specific. */
export const RULE_SCOPES = ['workspace', 'agent', 'space'] as const;
export const RuleScope = z.enum(RULE_SCOPES);
export type RuleScope = z.infer<typeof RuleScope>;

export const RULE_ACTIONS = ['allow', 'ask', 'deny'] as const;
export const RuleAction = z.enum(RULE_ACTIONS);
export type RuleAction = z.infer<typeof RuleAction>;

/** A guardrail; `scopeId` is the agent's or the space's id, null for the whole workspace. */
export const GuardrailRule = z.strictObject({
  id: z.string().min(1),
  scope: RuleScope,
  scopeId: z.string().nullable(),
  effect: EffectClass,
  action: RuleAction,
});
export type GuardrailRule = z.infer<typeof GuardrailRule>;

const ASKED_BY_DEFAULT: readonly EffectClass[] = [
  ...(['git_push', 'pr_create', 'pr_publish', 'provider_sync_write'] as const),
  ...(['write_outside_worktree', 'enclosure_control', 'secret_access'] as const),
];

/** What happens to an effect class that no rule names. */
export function defaultAction(effect: EffectClass): RuleAction {
  return ASKED_BY_DEFAULT.includes(effect) ? 'ask' : 'allow';
}

/** What a decision rests on. */
export type DecidedBy =
  | { kind: 'pinned'; tool: string }
  | { kind: 'mode'; mode: CapabilityProfile['mode'] }
  | { kind: 'autonomy'; autonomy: Autonomy }
  | ({ kind: 'rule' } & GuardrailRule)
  | { kind: 'default'; effect: EffectClass; action: RuleAction }
  | { kind: 'harmless' };

export interface PolicyDecision {
  decision: RuleAction;
  /** Every effect class of the call. */
  classes: EffectClass[];
  /** Those that need a person's word; empty unless the decision is `ask`. */
  asked: EffectClass[];
  rule: DecidedBy;
  /** One sentence for people and for the model. */
  reason: string;
}

export interface EffectsQuestion {
  /** The run's own profile, and that of the mode its space has now when they differ: the stricter wins. */
  profiles: readonly CapabilityProfile[];
  tier: ApprovalTier;
  effects: readonly EffectClass[];
  /** The rules that apply: of the workspace, of the agent, of the space. */
  rules: readonly GuardrailRule[];
  autonomy: Autonomy;
}

export interface CallQuestion extends EffectsQuestion {
  tool: ToolFacts;
}

/**
 * Judges one call. What the run's own mode pins passes everything else; then the modes, the autonomy of the space, and the
 * rules class by class: deny before ask before allow. Never throws.
 */
export function decideCall(question: CallQuestion): PolicyDecision {
  const { profiles, tool, effects } = question;
  if (profiles[0]?.pinned.includes(tool.name)) {
    const reason = `${tool.name} is what this mode delivers or asks with; nothing silences it.`;
    return { ...allowed(effects, { kind: 'pinned', tool: tool.name }), reason };
  }
  for (const profile of profiles) {
    const judged = isCallAllowed(profile, tool, effects);
    if (!judged.allowed) return denied(effects, { kind: 'mode', mode: profile.mode }, judged.reason);
  }
  return decideEffects(question);
}

/** Judges effect classes alone, as of a command line that some adapter runs with a shell of its own. */
export function decideEffects({ profiles, tier, effects, rules, autonomy }: EffectsQuestion): PolicyDecision {
  if (profiles.length === 0) return denied(effects, { kind: 'harmless' }, 'No mode is known for this call.');
  for (const { mode, label, deniedEffects } of profiles) {
    const refused = effects.filter((effect) => deniedEffects.includes(effect));
    if (refused.length > 0)
      return denied(effects, { kind: 'mode', mode }, `${label} mode denies ${refused.join(', ')}.`);
  }
  if (autonomy === 'proposeOnly' && tier !== 'read') {
    const reason = `This space is set to propose only: ${tier} tier is refused. Say what you would do instead.`;
    return denied(effects, { kind: 'autonomy', autonomy }, reason);
  }
  return weigh(effects, rules, autonomy);
}

interface Weighed {
  effect: EffectClass;
  action: RuleAction;
  rule: DecidedBy;
}

function weigh(
  effects: readonly EffectClass[],
  rules: readonly GuardrailRule[],
  autonomy: Autonomy,
): PolicyDecision {
  const weighed = effects.map((effect) => weighClass(effect, rules));
  const deny = weighed.find(({ action }) => action === 'deny');
  if (deny) return denied(effects, deny.rule, `${deny.effect} is denied by ${nameOf(deny.rule)}.`);
  const asked = weighed.filter(({ action }) => action === 'ask');
  const [first] = asked;
  if (first && autonomy !== 'actFreely') {
    const names = asked.map(({ effect }) => effect);
    const reason = `${names.join(', ')} ${names.length === 1 ? 'needs' : 'need'} a person's approval, by ${nameOf(first.rule)}.`;
    return { decision: 'ask', classes: [...effects], asked: names, rule: first.rule, reason };
  }
  if (first) {
    const reason = `${first.effect} would be asked by ${nameOf(first.rule)}; this space lets its agents act freely.`;
    return { ...allowed(effects, { kind: 'autonomy', autonomy }), reason };
  }
  const [ruled] = weighed.filter(({ rule }) => rule.kind === 'rule');
  const rule = (ruled ?? weighed[0])?.rule ?? { kind: 'harmless' };
  return allowed(effects, rule);
}

function weighClass(effect: EffectClass, rules: readonly GuardrailRule[]): Weighed {
  const mine = rules.filter((rule) => rule.effect === effect);
  const deny = mine.find((rule) => rule.action === 'deny');
  const bySpecificity = mine.toSorted((a, b) => RULE_SCOPES.indexOf(b.scope) - RULE_SCOPES.indexOf(a.scope));
  const rule = deny ?? bySpecificity[0];
  if (rule) return { effect, action: rule.action, rule: { kind: 'rule', ...rule } };
  const action = defaultAction(effect);
  return { effect, action, rule: { kind: 'default', effect, action } };
}

function nameOf(rule: DecidedBy): string {
  if (rule.kind === 'rule') return `the rule ${rule.id} of the ${rule.scope}`;
  return rule.kind === 'default' ? 'default' : rule.kind;
}

function allowed(classes: readonly EffectClass[], rule: DecidedBy): PolicyDecision {
  const reason =
    classes.length === 0
      ? 'It has no effect that a rule could hold back.'
      : `${classes.join(', ')}: nothing holds it back.`;
  return { decision: 'allow', classes: [...classes], asked: [], rule, reason };
}

function denied(classes: readonly EffectClass[], rule: DecidedBy, reason: string): PolicyDecision {
  return { decision: 'deny', classes: [...classes], asked: [], rule, reason };
}
