import {
  type CapabilityProfile,
  capabilityProfile,
  isCallAllowed,
  type Mode,
  type ToolFacts,
} from '../../../core-wasm/core.ts';

export type Judgement = { allowed: true } | { allowed: false; reason: string };

/**
 * Judges one call by the run's own profile and by the mode the space has now: the stricter wins. What the run's own mode
 * pins is never refused, or a change of the space could silence what the run is to deliver. A space that cannot be asked
 * refuses.
 */
export async function judgeCall(
  own: CapabilityProfile,
  tool: ToolFacts,
  presentMode: () => Promise<Mode>,
): Promise<Judgement> {
  const byOwn = isCallAllowed(own, tool, tool.effects);
  if (!byOwn.allowed || own.pinned.includes(tool.name)) return byOwn;
  try {
    return isCallAllowed(capabilityProfile(await presentMode()), tool, tool.effects);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { allowed: false, reason: `The space's present mode could not be read: ${why}` };
  }
}
