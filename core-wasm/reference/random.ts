/** xoshiro128** seeded by splitmix32, in JavaScript's own integers. */
export class ReferenceRandom {
  private readonly state: [number, number, number, number];

  constructor(seed: number) {
    let mixing = seed >>> 0;
    const mix = (): number => {
      mixing = (mixing + 0x9e3779b9) >>> 0;
      let z = mixing;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return (z ^ (z >>> 15)) >>> 0;
    };
    this.state = [mix(), mix(), mix(), mix()];
  }

  private next(): number {
    const s = this.state;
    const scrambled = Math.imul(s[1], 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** A whole number from 0 to count - 1. */
  below(count: number): number {
    return Number((BigInt(this.next()) * BigInt(count)) >> 32n);
  }
}
