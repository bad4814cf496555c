import type { Actor } from '../../kit/actor.ts';
import type { SpacesDeps } from '../deps.ts';
import { AttachmentFiles } from './files.ts';
import { deleteUnsent, findAttachments, unsentAttachments } from './store.ts';

const SELF: Actor = 'service:spaces';
/** For so long may a file wait for its message. */
const KEPT_MS = 24 * 3_600_000;
const EVERY_MS = 3_600_000;

export interface Sweeper {
  /** Sweeps every workspace now and each hour. */
  start(): void;
  stop(): Promise<void>;
  /** Removes what nobody sent within a day, and files of that age that have no row: of writes that a crash cut off. */
  sweep(workspaceId: string): Promise<void>;
}

export function createSweeper(deps: SpacesDeps): Sweeper {
  let timer: Timer | null = null;
  let sweeping: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function sweep(workspaceId: string): Promise<void> {
    const database = await deps.databases.open(workspaceId);
    const files = new AttachmentFiles(deps.databases.directory(workspaceId));
    const until = deps.clock() - KEPT_MS;
    for (const attachment of await unsentAttachments(database, until)) {
      if (await deleteUnsent(database, attachment, SELF, deps.clock())) await files.remove(attachment.id);
    }
    const names = await files.names();
    const rows = new Set((await findAttachments(database, names)).map(({ id }) => id));
    for (const name of names.filter((one) => !rows.has(one))) {
      const writtenAt = await files.writtenAt(name);
      if (writtenAt !== null && writtenAt <= until) await files.remove(name);
    }
  }

  /** A workspace that cannot be swept is said, and holds up no other. */
  async function sweepAll(): Promise<void> {
    for (const workspaceId of deps.databases.list()) {
      if (isStopped) return;
      await sweep(workspaceId).catch((error: unknown) =>
        deps.log.error({ err: error, workspaceId }, 'the attachments of a workspace could not be swept'),
      );
    }
  }

  const next = () => {
    sweeping = sweeping.then(sweepAll);
  };
  return {
    start() {
      next();
      timer = setInterval(next, EVERY_MS);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      if (timer) clearInterval(timer);
      await sweeping;
    },
    sweep,
  };
}
