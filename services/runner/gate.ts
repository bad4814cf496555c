type Kind = 'shared' | 'exclusive';

interface Waiting {
  kind: Kind;
  enter(): void;
}

interface Door {
  shared: number;
  exclusive: boolean;
  waiting: Waiting[];
}

/** `idle` runs when the last shared task leaves, before anything that waits may enter. */
export interface Gate {
  shared<T>(key: string, task: () => Promise<T>, idle: () => Promise<void>): Promise<T>;
  exclusive<T>(key: string, task: () => Promise<T>): Promise<T>;
  /** Nobody is in or waits: `exclusive` called in the same tick enters at once. */
  isFree(key: string): boolean;
}

/**
 * Readers and writers of one worktree, in the order they came: commands run side by side, a commit has the worktree
 * for itself.
 */
export function createGate(): Gate {
  const doors = new Map<string, Door>();

  const admit = (key: string, door: Door): void => {
    for (let next = door.waiting[0]; next !== undefined; next = door.waiting[0]) {
      if (door.exclusive || (next.kind === 'exclusive' && door.shared > 0)) return;
      door.waiting.shift();
      if (next.kind === 'exclusive') door.exclusive = true;
      else door.shared += 1;
      next.enter();
    }
    if (!door.exclusive && door.shared === 0) doors.delete(key);
  };

  const enter = async (key: string, kind: Kind): Promise<Door> => {
    const door = doors.get(key) ?? { shared: 0, exclusive: false, waiting: [] };
    doors.set(key, door);
    await new Promise<void>((resolve) => {
      door.waiting.push({ kind, enter: resolve });
      admit(key, door);
    });
    return door;
  };

  const leaveShared = async (key: string, door: Door, idle: () => Promise<void>): Promise<void> => {
    if (door.shared > 1) {
      door.shared -= 1;
      return;
    }
    door.exclusive = true;
    door.shared = 0;
    await idle().finally(() => {
      door.exclusive = false;
      admit(key, door);
    });
  };

  return {
    isFree: (key) => !doors.has(key),
    async shared(key, task, idle) {
      const door = await enter(key, 'shared');
      try {
        return await task();
      } finally {
        await leaveShared(key, door, idle);
      }
    },
    async exclusive(key, task) {
      const door = await enter(key, 'exclusive');
      try {
        return await task();
      } finally {
        door.exclusive = false;
        admit(key, door);
      }
    },
  };
}
