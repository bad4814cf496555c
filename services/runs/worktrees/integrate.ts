import { Fault } from '../../kit/fault.ts';
import type { MergeConflict, RepositoryRef, WorktreeDiff } from '../../runner/runner.ts';
import type { RunsDeps } from '../deps.ts';
import type { IntegrationRequest } from './schema.ts';

export interface Integration {
  branch: string;
  head: string;
  base: string;
  merged: string[];
  conflicts: MergeConflict[];
  diff: string;
  stat: string;
}

const INTEGRATOR = { name: 'Control Center', email: 'integration@agents.control-center.invalid' };

/**
 * Merges branches into one of the space's first repository and compares it with its base.
 * @throws Fault invalid_request for a space without repositories
 */
export async function integrate(
  deps: RunsDeps,
  workspaceId: string,
  request: IntegrationRequest,
): Promise<Integration> {
  const space = await deps.spaces.space(workspaceId, request.spaceId);
  const source = space.repositories[0];
  if (!source) {
    throw new Fault('invalid_request', `The space ${space.name} has no repository to integrate branches in.`);
  }
  const base = request.base ?? (await deps.runner.inspectRepository(source.path)).defaultBranch;
  const { branch, merge, key } = request;
  const merged = await deps.runner.integrate({
    ...{ workspaceId, source, branch, base, merge, key },
    author: INTEGRATOR,
  });
  const { diff, stat, from } = await compare(deps, workspaceId, source, base, merged.head);
  return { ...merged, base: from, diff, stat };
}

/** What `head` changes since `base`, seen in a worktree that is made for the question and thrown away. */
async function compare(
  deps: RunsDeps,
  workspaceId: string,
  source: RepositoryRef,
  base: string,
  head: string,
): Promise<WorktreeDiff & { from: string }> {
  const conversationId = `compare-${crypto.randomUUID()}`;
  const ref = { workspaceId, conversationId, repository: source.name };
  const branch = `control-center/${conversationId}`;
  await deps.runner.openWorktree({ ...ref, source, branch, base: head, merge: [] });
  try {
    const found = await deps.runner.gitDiff(ref, { base });
    return { ...found, from: base };
  } finally {
    await deps.runner.closeWorktree(ref, { discard: true });
  }
}
