import type { RepositoryRef } from '../../runner/runner.ts';
import type { RunsDeps } from '../deps.ts';
import type { WorktreeRequest } from '../runs/schema.ts';
import { listWorktrees, recordWorktree, type Worktree } from './store.ts';

export interface OpenWorktrees {
  workspaceId: string;
  conversationId: string;
  repositories: readonly RepositoryRef[];
  /** Holds for the first repository: the one that a pipeline's branches are of. */
  request: WorktreeRequest | null;
}

/** The branch of a conversation that is told nothing else. */
function conversationBranch(conversationId: string): string {
  return `control-center/${conversationId}`;
}

/** Opens what is missing of the conversation's worktrees; one that is open stays as it was opened. */
export async function openWorktrees(deps: RunsDeps, input: OpenWorktrees): Promise<Worktree[]> {
  const open = () => deps.databases.open(input.workspaceId);
  const known = await listWorktrees(await open(), input.conversationId);
  const opened: Worktree[] = [];
  for (const source of input.repositories) {
    const before = known.find((worktree) => worktree.repository === source.name);
    const request = opened.length === 0 ? input.request : null;
    const worktree = await openOne(deps, input, source, before ?? null, request);
    if (!before) await recordWorktree(await open(), worktree, deps.clock());
    opened.push(before ?? worktree);
  }
  return opened;
}

async function openOne(
  deps: RunsDeps,
  { workspaceId, conversationId }: OpenWorktrees,
  source: RepositoryRef,
  before: Worktree | null,
  request: WorktreeRequest | null,
): Promise<Worktree> {
  const branch = before?.branch ?? request?.branch ?? conversationBranch(conversationId);
  const base =
    before?.base ?? request?.base ?? (await deps.runner.inspectRepository(source.path)).defaultBranch;
  const opened = await deps.runner.openWorktree({
    workspaceId,
    conversationId,
    repository: source.name,
    source,
    branch,
    base,
    merge: request?.merge ?? [],
  });
  const { path, conflicts } = opened;
  return {
    conversationId,
    repository: source.name,
    path,
    branch: opened.branch,
    base: opened.base,
    conflicts,
  };
}
