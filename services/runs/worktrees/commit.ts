import type { RunsDeps } from '../deps.ts';
import { agentAuthor, personAuthor } from './authors.ts';
import type { CommitRequest } from './schema.ts';
import { listWorktrees } from './store.ts';

export interface CommittedConversation {
  commit: string | null;
  files: number;
  branch: string | null;
}

/** Commits what a conversation's worktrees still hold, in the agent's name; the answer tells of the first repository. */
export async function commitWorktree(
  deps: RunsDeps,
  workspaceId: string,
  request: CommitRequest,
): Promise<CommittedConversation> {
  const database = await deps.databases.open(workspaceId);
  const worktrees = await listWorktrees(database, request.conversationId);
  if (worktrees.length === 0) return { commit: null, files: 0, branch: null };
  const agent = await deps.spaces.agent(workspaceId, request.agentId);
  const results: CommittedConversation[] = [];
  for (const { conversationId, repository, branch } of worktrees) {
    const committed = await deps.runner.commit(
      { workspaceId, conversationId, repository },
      {
        message: request.message,
        author: agentAuthor(agent.name),
        coAuthor: personAuthor(request.requestedBy ?? null),
        key: request.key,
      },
    );
    results.push({ ...committed, branch });
  }
  return results[0] as CommittedConversation;
}
