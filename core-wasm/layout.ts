/** Hands out 16-aligned offsets in the arena, one after the other. */
export class Layout {
  bytes = 0;

  /** Offset of a column of `count` elements of `size` bytes. */
  take(count: number, size: 1 | 4 | 8 | 16 | 64): number {
    const offset = this.bytes;
    this.bytes += Math.ceil((count * size) / 16) * 16;
    return offset;
  }
}
