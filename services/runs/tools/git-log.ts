import * as z from 'zod';
import { defineTool, Repository } from './tool.ts';

export const gitLog = defineTool({
  name: 'git_log',
  description: "Lists the last commits of this conversation's branch: commit, time, author, subject.",
  input: z.strictObject({ limit: z.int().min(1).max(500).optional(), repository: Repository }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'worktree',
  run: async ({ runner, worktree }, { limit, repository }) => {
    const log = await runner.gitLog(worktree(repository), limit === undefined ? {} : { limit });
    const lines = log.commits.map(
      ({ commit, timeMs, author, subject }) =>
        `${commit.slice(0, 12)} ${new Date(timeMs).toISOString()} ${author.name}: ${subject}`,
    );
    return lines.join('\n') + (log.truncated ? '\n(there are more)' : '');
  },
});
