import * as z from 'zod';
import { agentAuthor, personAuthor } from '../worktrees/authors.ts';
import { defineTool, Repository } from './tool.ts';

export const gitCommit = defineTool({
  name: 'git_commit',
  description: "Commits every change of the working tree to this conversation's branch, in your name.",
  input: z.strictObject({
    message: z.string().trim().min(1).max(20_000).describe('Subject line, and a body if one helps'),
    repository: Repository,
  }),
  tier: 'write',
  effects: ['git_commit'],
  keyed: true,
  needs: 'worktree',
  run: async ({ runner, worktree, agent, requestedBy, key }, { message, repository }) => {
    const { commit, files } = await runner.commit(worktree(repository), {
      message,
      author: agentAuthor(agent.name),
      coAuthor: personAuthor(requestedBy),
      key,
    });
    return commit === null ? 'Nothing to commit.' : `Committed ${files} file(s) as ${commit}.`;
  },
});
