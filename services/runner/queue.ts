/** Runs tasks with the same key one after another, tasks with different keys side by side. */
export function createQueue(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const turn = (tails.get(key) ?? Promise.resolve()).then(task, task);
    tails.set(key, turn);
    const forget = () => {
      if (tails.get(key) === turn) tails.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  };
}
