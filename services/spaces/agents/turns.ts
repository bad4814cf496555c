/** Runs the calls of one key one after the other; other keys are not held up. */
export function createTurns(): <T>(key: string, call: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, call) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(call, call);
    last.set(key, turn);
    const forget = () => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  };
}
