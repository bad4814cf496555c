import { type CapabilityProfile, toolSurface } from '../../../core-wasm/core.ts';
import { EVERY_TOOL } from '../tools/every-tool.ts';
import type { Tool } from '../tools/tool.ts';

/** What a run has for its tools to work on. */
interface Ground {
  hasConversation: boolean;
  hasWorktree: boolean;
  /** Its space was opened for a pull request. */
  hasReview: boolean;
}

/**
 * The profile's surface over the tools that have something to work on.
 * @param parent the surface of the run whose sub-agent this one is: nothing outside it is given
 */
export function surfaceOf(
  profile: CapabilityProfile,
  { hasConversation, hasWorktree, hasReview }: Ground,
  parent?: readonly string[],
): Tool[] {
  const has = { worktree: hasWorktree, conversation: hasConversation, review: hasReview };
  const useful = EVERY_TOOL.filter(({ needs }) => needs === null || has[needs]);
  const surface = new Set(toolSurface(profile, useful, parent && new Set(parent)));
  return useful.filter((tool) => surface.has(tool.name));
}
