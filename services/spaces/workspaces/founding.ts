import type { Actor } from '../../kit/actor.ts';
import { newId } from '../../kit/id.ts';
import type { Roster } from '../agents/roster.ts';
import type { SpacesDeps } from '../deps.ts';
import type { NewWorkspace, Workspace } from './schema.ts';
import { seedWorkspace } from './seed.ts';
import { insertWorkspace, unfinishedWorkspaces } from './store.ts';

export interface Founding {
  /** The row and an empty database at once; the agents come in the background and `state` turns to ready. */
  found(input: NewWorkspace, actor: Actor): Promise<Workspace>;
  /** Goes on with every workspace that a crash left unfinished, in the background. */
  resume(): Promise<void>;
  /** Resolves when nothing is being seeded. */
  settled(): Promise<void>;
}

export function createFounding(deps: SpacesDeps, roster: Roster): Founding {
  const seeding = new Map<string, Promise<void>>();

  function seed(workspace: Workspace): void {
    if (seeding.has(workspace.id)) return;
    const done = seedWorkspace(deps, roster, workspace)
      .catch((error: unknown) => {
        deps.log.error({ err: error, workspaceId: workspace.id }, 'seeding stopped; the next start goes on');
      })
      .finally(() => seeding.delete(workspace.id));
    seeding.set(workspace.id, done);
  }

  return {
    async found({ name, key }, actor) {
      const fresh = { id: newId('ws'), name, state: 'creating' as const, createdAt: deps.clock() };
      const workspace = await insertWorkspace(deps.control, fresh, key ?? null, actor);
      if (workspace.state !== 'creating') return workspace;
      await deps.databases.create(workspace.id);
      seed(workspace);
      return workspace;
    },
    async resume() {
      for (const workspace of await unfinishedWorkspaces(deps.control)) seed(workspace);
    },
    async settled() {
      while (seeding.size > 0) await Promise.all(seeding.values());
    },
  };
}
