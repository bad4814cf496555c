import { CoreError } from './errors.ts';
import { succeed, takeArena, withKernels } from './instance.ts';
import { Layout } from './layout.ts';
import {
  APPROVAL_TIERS,
  type ApprovalTier,
  type CapabilityProfile,
  EFFECT_CLASSES,
  type EffectClass,
} from './profile.ts';

/** What a tool declares about itself. */
export interface ToolFacts {
  name: string;
  tier: ApprovalTier;
  effects: readonly EffectClass[];
}

const LISTED = 1;
const DENIED = 2;
const PINNED = 4;
const IN_PARENT = 8;

const EFFECT_BIT = new Map<string, number>(EFFECT_CLASSES.map((name, bit) => [name, 1 << bit]));

function effectBits(effects: readonly string[], at: string): number {
  let bits = 0;
  for (const name of effects) {
    const bit = EFFECT_BIT.get(name);
    if (bit === undefined) throw new CoreError('BAD_ARGUMENT', `${at}: unknown effect class "${name}"`);
    bits |= bit;
  }
  return bits;
}

function tierRank(tier: ApprovalTier, at: string): number {
  const rank = APPROVAL_TIERS.indexOf(tier);
  if (rank < 0) throw new CoreError('BAD_ARGUMENT', `${at}: unknown approval tier "${tier}"`);
  return rank;
}

function factsOf(profile: CapabilityProfile, name: string, parent: ReadonlySet<string> | undefined): number {
  return (
    (profile.allowList?.includes(name) ? LISTED : 0) |
    (profile.denyList.includes(name) ? DENIED : 0) |
    (profile.pinned.includes(name) ? PINNED : 0) |
    (parent === undefined || parent.has(name) ? IN_PARENT : 0)
  );
}

/**
 * Names of the tools that a profile shows, in the order of `tools`. Pinned tools are always there; the read tier passes
 * without an allow-list; nothing outside `parent`, the surface of the agent that starts this one, ever is.
 * Throws BAD_ARGUMENT for an unknown tier or effect class.
 */
export function toolSurface(
  profile: CapabilityProfile,
  tools: readonly ToolFacts[],
  parent?: ReadonlySet<string>,
): string[] {
  const n = tools.length;
  const tiers = tools.map((tool) => tierRank(tool.tier, tool.name));
  const effects = tools.map((tool) => effectBits(tool.effects, tool.name));
  const facts = tools.map((tool) => factsOf(profile, tool.name, parent));
  const maxTier = tierRank(profile.maxTier, profile.mode);
  const denied = effectBits(profile.deniedEffects, profile.mode);
  return withKernels((kernels) => {
    const layout = new Layout();
    const [tierAt, effectAt, factAt, outAt] = [
      layout.take(n, 1),
      layout.take(n, 4),
      layout.take(n, 1),
      layout.take(n, 1),
    ];
    const base = takeArena(kernels, layout.bytes, null);
    const bytes = new Uint8Array(kernels.memory.buffer);
    bytes.set(tiers, base + tierAt);
    bytes.set(facts, base + factAt);
    new Int32Array(kernels.memory.buffer).set(effects, (base + effectAt) >> 2);
    const columns = [base + tierAt, base + effectAt, base + factAt];
    const hasAllow = profile.allowList === null ? 0 : 1;
    succeed(kernels, kernels.surface(n, ...columns, maxTier, denied, hasAllow, base + outAt));
    return tools.filter((_, i) => bytes[base + outAt + i] === 1).map((tool) => tool.name);
  });
}

/**
 * Checks one call: its tool against the surface and the effect classes the call really has against the denied ones.
 * Pinned tools pass. Never throws: what cannot be judged is refused with the reason.
 */
export function isCallAllowed(
  profile: CapabilityProfile,
  tool: ToolFacts,
  effects: readonly EffectClass[],
): { allowed: true } | { allowed: false; reason: string } {
  if (profile.pinned.includes(tool.name)) return { allowed: true };
  const refuse = (why: string) =>
    ({ allowed: false, reason: `${tool.name} is not available in ${profile.label} mode: ${why}` }) as const;
  try {
    const denied = effects.filter((effect) => profile.deniedEffects.includes(effect));
    effectBits(effects, tool.name);
    if (toolSurface(profile, [tool]).length === 0) return refuse(whyHidden(profile, tool));
    return denied.length === 0 ? { allowed: true } : refuse(`this call would ${denied.join(', ')}`);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function whyHidden(profile: CapabilityProfile, tool: ToolFacts): string {
  if (profile.denyList.includes(tool.name)) return 'the mode excludes it';
  if (APPROVAL_TIERS.indexOf(tool.tier) > APPROVAL_TIERS.indexOf(profile.maxTier))
    return `it is ${tool.tier} tier and the mode ends at ${profile.maxTier}`;
  const denied = tool.effects.filter((effect) => profile.deniedEffects.includes(effect));
  if (denied.length > 0) return `its effects include ${denied.join(', ')}`;
  return 'it is not on the list of tools that may change anything';
}
