import { type AxisResult, type CapabilityProfile, type ToolFacts, VERDICTS, type Verdict } from '../core.ts';

const TIERS = ['read', 'write', 'execute'];

/** The tool surface, tool by tool as the rules read. */
export function referenceSurface(
  profile: CapabilityProfile,
  tools: readonly ToolFacts[],
  parent?: ReadonlySet<string>,
): string[] {
  const shown = tools.filter((tool) => {
    if (parent && !parent.has(tool.name)) return false;
    if (profile.pinned.includes(tool.name)) return true;
    if (profile.denyList.includes(tool.name)) return false;
    if (TIERS.indexOf(tool.tier) > TIERS.indexOf(profile.maxTier)) return false;
    if (tool.effects.some((effect) => profile.deniedEffects.includes(effect))) return false;
    return tool.tier === 'read' || profile.allowList === null || profile.allowList.includes(tool.name);
  });
  return shown.map((tool) => tool.name);
}

/** The combined verdict, for axes that are well formed. */
export function referenceCombine(base: Verdict, axes: readonly AxisResult[]): Verdict {
  const gated = axes.filter((axis) => axis.gated);
  if (base === 'block' || gated.some((axis) => axis.result === 'fail')) return VERDICTS[2];
  if (base === 'hold' || gated.some((axis) => axis.result !== 'pass')) return VERDICTS[1];
  return VERDICTS[0];
}
