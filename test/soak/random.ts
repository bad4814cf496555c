/** A number from 0 up to, but not, 1 that is the same for the same words, however often and in whatever order it is asked. */
export function drawn(...words: (string | number)[]): number {
  return Number(BigInt(Bun.hash(words.join('/'))) % 1_000_003n) / 1_000_003;
}

export function pickBy<T>(from: readonly T[], ...words: (string | number)[]): T {
  return from[Math.floor(drawn(...words) * from.length)]!;
}
