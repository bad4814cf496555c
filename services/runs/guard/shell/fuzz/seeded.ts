/** Choices that are the same for the same seed. */
export class Seeded {
  constructor(private state: number) {}

  /** From 0 up to, but not, `below`. */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }
}
