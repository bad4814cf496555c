/** Until when each item is put off, by its id; null for a failure that is put aside for good: the next one is another run. */
export type Away = Readonly<Record<string, number | null>>;

/** Without what has come back by `now`. */
export function stillAway(byId: Away, now: number): Away {
  return Object.fromEntries(Object.entries(byId).filter(([, until]) => until === null || until > now));
}

/** When the next one comes back; null while none does. */
export function nextBack(byId: Away): number | null {
  const times = Object.values(byId).filter((until) => until !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** Nine in the morning of the next day, where the person is. */
export function tomorrow(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).getTime();
}
