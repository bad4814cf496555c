import type { Database, Statement, WriteResult } from '../../kit/database/database.ts';

interface Asked<Item> {
  item: Item;
  resolve(results: WriteResult[]): void;
  reject(error: unknown): void;
}

/** The statements of one item stand first and in order; `after` is what the whole group ends with. */
export interface GroupForm<Item> {
  statementsOf(item: Item): Statement[];
  after(items: readonly Item[]): Statement[];
}

/**
 * One transaction for everything asked for in the same moment or while the last transaction was on its way: parallel steps
 * share the wait for the disk. Each asker gets the results of its own statements; a group that fails fails for all of it.
 */
export class GroupCommit<Item> {
  #asked: Asked<Item>[] = [];
  #isWriting = false;

  constructor(
    private readonly label: string,
    private readonly open: () => Promise<Database>,
    private readonly form: GroupForm<Item>,
  ) {}

  write(item: Item): Promise<WriteResult[]> {
    const { promise, resolve, reject } = Promise.withResolvers<WriteResult[]>();
    this.#asked.push({ item, resolve, reject });
    if (!this.#isWriting) void this.#writeAll();
    return promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Those who ask in this same turn of the event loop come along.
    await Promise.resolve();
    while (this.#asked.length > 0) {
      const group = this.#asked.splice(0, 64);
      await this.#writeGroup(group);
    }
    this.#isWriting = false;
  }

  async #writeGroup(group: Asked<Item>[]): Promise<void> {
    const items = group.map(({ item }) => item);
    const sets = items.map((item) => this.form.statementsOf(item));
    try {
      const database = await this.open();
      const results = await database.write(this.label, [...sets.flat(), ...this.form.after(items)]);
      let from = 0;
      group.forEach(({ resolve }, i) => {
        const count = sets[i]?.length ?? 0;
        resolve(results.slice(from, from + count));
        from += count;
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

/** One group for each workspace and label. */
export class GroupCommits<Item> {
  readonly #groups = new Map<string, GroupCommit<Item>>();

  constructor(
    private readonly open: (workspaceId: string) => Promise<Database>,
    private readonly form: GroupForm<Item>,
  ) {}

  write(workspaceId: string, label: string, item: Item): Promise<WriteResult[]> {
    const id = `${workspaceId}/${label}`;
    const group = this.#groups.get(id) ?? new GroupCommit(label, () => this.open(workspaceId), this.form);
    this.#groups.set(id, group);
    return group.write(item);
  }
}
