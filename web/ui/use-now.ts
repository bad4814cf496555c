import { useSyncExternalStore } from 'react';

const TICK_MS = 1_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const readers = new Set<() => void>();

function subscribe(onChange: () => void): () => void {
  readers.add(onChange);
  // Nobody has kept it up while nobody was reading.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const reader of readers) reader();
  }, TICK_MS);
  return () => {
    readers.delete(onChange);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, brought up to date once a second for all who show it. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
