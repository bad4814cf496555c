/** Memory of the server over the part of a soak in which nothing kills it. */
export interface MemorySample {
  atMs: number;
  megabytes: number;
}

/** The beginning of such a part fills caches. */
const WARM_UP_SHARE = 0.3;
const MOST_GROWTH = 1.2;

/** Medians of the first and the last third of what follows the warm-up, MB; null when there are too few samples to tell. */
export function growthOf(samples: readonly MemorySample[]): { early: number; late: number } | null {
  const counted = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const third = Math.floor(counted.length / 3);
  if (third < 5) return null;
  return { early: medianOf(counted.slice(0, third)), late: medianOf(counted.slice(-third)) };
}

export function isFlat({ early, late }: { early: number; late: number }): boolean {
  return late <= early * MOST_GROWTH;
}

function medianOf(samples: readonly MemorySample[]): number {
  const ascending = samples.map(({ megabytes }) => megabytes).toSorted((a, b) => a - b);
  return ascending[Math.floor(ascending.length / 2)]!;
}
