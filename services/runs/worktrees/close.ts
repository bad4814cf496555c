import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { forgetWorktree, listIdleWorktrees, type Worktree } from './store.ts';

export interface ClosedWorktrees {
  closed: number;
  /** Those with work that is nowhere else, or that could not be closed. */
  kept: { branch: string; reason: string }[];
}

/**
 * Closes the worktrees of the conversations that ran under a budget and in which nothing runs any more, with their
 * branches. One whose work is not on another branch, or not committed, is kept.
 */
export async function closeWorktrees(
  deps: RunsDeps,
  workspaceId: string,
  budgetScope: string,
): Promise<ClosedWorktrees> {
  const idle = await listIdleWorktrees(await deps.databases.open(workspaceId), budgetScope);
  const kept: ClosedWorktrees['kept'] = [];
  for (const worktree of idle) {
    const reason = await reasonToKeep(deps, workspaceId, worktree);
    if (reason === null) await forgetWorktree(await deps.databases.open(workspaceId), worktree);
    else kept.push({ branch: worktree.branch, reason });
  }
  return { closed: idle.length - kept.length, kept };
}

/** Closes it, or says why it was kept. */
async function reasonToKeep(
  deps: RunsDeps,
  workspaceId: string,
  { conversationId, repository }: Worktree,
): Promise<string | null> {
  try {
    const ref = { workspaceId, conversationId, repository };
    const { removed, reason } = await deps.runner.closeWorktree(ref, { discard: false });
    return removed ? null : (reason ?? 'it could not be removed');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    deps.log.warn({ err: error, conversationId, repository }, 'a worktree could not be closed');
    return error.message;
  }
}
