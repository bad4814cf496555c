import type { Database, Row } from '../../kit/database/database.ts';
import type { MergeConflict } from '../../runner/runner.ts';
import { loseCheckpoints } from '../checkpoints/store.ts';

/** A conversation's working tree of one repository, as it was opened. */
export interface Worktree {
  conversationId: string;
  repository: string;
  path: string;
  branch: string;
  base: string;
  conflicts: MergeConflict[];
}

/** Of one conversation, in the order of opening. */
export async function listWorktrees(database: Database, conversationId: string): Promise<Worktree[]> {
  const rows = await database.read({
    sql: 'SELECT * FROM worktrees WHERE conversationId = ? ORDER BY rowid',
    args: [conversationId],
  });
  return rows.map(worktreeOfRow);
}

export async function recordWorktree(database: Database, worktree: Worktree, at: number): Promise<void> {
  const { conversationId, repository, path, branch, base, conflicts } = worktree;
  await database.write('worktree.open', [
    {
      sql: `INSERT INTO worktrees (conversationId, repository, path, branch, base, conflicts, createdAt)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      args: [conversationId, repository, path, branch, base, JSON.stringify(conflicts), at],
    },
  ]);
}

/** Of conversations that had a run under the budget and have none that goes on. */
export async function listIdleWorktrees(database: Database, budgetScope: string): Promise<Worktree[]> {
  const rows = await database.read({
    sql: `SELECT * FROM worktrees w
      WHERE EXISTS (SELECT 1 FROM runs WHERE conversationId = w.conversationId AND budgetScope = ?)
      AND NOT EXISTS (SELECT 1 FROM runs WHERE conversationId = w.conversationId AND endedAt IS NULL)
      ORDER BY w.rowid`,
    args: [budgetScope],
  });
  return rows.map(worktreeOfRow);
}

/** The conversation's next run opens a new one. */
export async function forgetWorktree(
  database: Database,
  { conversationId, repository }: Worktree,
): Promise<void> {
  await database.write('worktree.close', [
    {
      sql: 'DELETE FROM worktrees WHERE conversationId = ? AND repository = ?',
      args: [conversationId, repository],
    },
    loseCheckpoints(conversationId, repository),
  ]);
}

function worktreeOfRow(row: Row): Worktree {
  return {
    conversationId: String(row.conversationId),
    repository: String(row.repository),
    path: String(row.path),
    branch: String(row.branch),
    base: String(row.base),
    conflicts: JSON.parse(String(row.conflicts)) as MergeConflict[],
  };
}
