import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../fault.ts';
import type { Wakes } from '../wakes.ts';
import { Database } from './database.ts';
import { emptyDatabase, isEmptyFile } from './empty-file.ts';
import { EVENT_MIGRATIONS } from './event-log.ts';
import { type MigrationSet, migrate } from './migrate.ts';

export interface WorkspaceDatabasesOptions {
  /** Holds `workspaces/<id>/workspace.db` for each workspace. */
  dataDir: string;
  /** Tables of the services in this process. */
  migrations: readonly MigrationSet[];
  /** Woken with the workspace's id after every commit. */
  wakes: Wakes;
  onPoint?: ((name: string) => void) | undefined;
  maxOpen?: number;
}

const WORKSPACE_ID = /^ws_[a-z0-9]{1,40}$/;

/** Opens each workspace's own database once, migrated, and keeps the recently used ones open. */
export class WorkspaceDatabases {
  readonly #options: WorkspaceDatabasesOptions;
  readonly #open = new Map<string, Promise<Database>>();

  constructor(options: WorkspaceDatabasesOptions) {
    this.#options = options;
  }

  get wakes(): Wakes {
    return this.#options.wakes;
  }

  directory(workspaceId: string): string {
    if (!WORKSPACE_ID.test(workspaceId)) throw unknownWorkspace(workspaceId);
    return join(this.#options.dataDir, 'workspaces', workspaceId);
  }

  /** Ids of the workspaces that have a database file. */
  list(): string[] {
    const root = join(this.#options.dataDir, 'workspaces');
    if (!existsSync(root)) return [];
    return readdirSync(root).filter((id) => WORKSPACE_ID.test(id) && existsSync(this.#file(id)));
  }

  /** @throws Fault not_found for an id that has no database */
  open(workspaceId: string): Promise<Database> {
    const known = this.#open.get(workspaceId);
    if (known) {
      this.#open.delete(workspaceId);
      this.#open.set(workspaceId, known);
      return known;
    }
    const file = this.#file(workspaceId);
    if (!existsSync(file)) throw unknownWorkspace(workspaceId);
    if (isEmptyFile(file)) throw emptyDatabase(file);
    return this.#openFile(workspaceId);
  }

  /** Makes the workspace's directory and database; opening an existing one is fine. */
  async create(workspaceId: string): Promise<Database> {
    mkdirSync(this.directory(workspaceId), { recursive: true, mode: 0o700 });
    return this.#open.get(workspaceId) ?? this.#openFile(workspaceId);
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    for (const result of opened) if (result.status === 'fulfilled') result.value.close();
  }

  #file(workspaceId: string): string {
    return join(this.directory(workspaceId), 'workspace.db');
  }

  #openFile(workspaceId: string): Promise<Database> {
    const opening = this.#openMigrated(workspaceId);
    this.#open.set(workspaceId, opening);
    opening.catch(() => this.#open.delete(workspaceId));
    void this.#closeOldest();
    return opening;
  }

  async #openMigrated(workspaceId: string): Promise<Database> {
    const database = await Database.open(`file:${this.#file(workspaceId)}`, {
      onPoint: this.#options.onPoint,
      onCommit: () => this.#options.wakes.wake(workspaceId),
    });
    for (const set of [EVENT_MIGRATIONS, ...this.#options.migrations]) await migrate(database, set);
    return database;
  }

  // A handle's descriptors are only freed at garbage collection, so handles are kept, not opened per request.
  async #closeOldest(): Promise<void> {
    const max = this.#options.maxOpen ?? 64;
    for (const [id, opening] of this.#open) {
      if (this.#open.size <= max) return;
      const database = await opening.catch(() => null);
      if (!database?.idle) continue;
      this.#open.delete(id);
      database.close();
    }
  }
}

function unknownWorkspace(workspaceId: string): Fault {
  return new Fault(
    'not_found',
    `There is no workspace ${JSON.stringify(workspaceId)}. List them with \`cctl workspace list\`.`,
  );
}
