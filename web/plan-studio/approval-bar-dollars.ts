const MICROS = 1_000_000;

/** An amount as people write it (`12.50`, `12,50`, `$ 12`) in micro-dollars; null for what is no amount above zero. */
export function readDollars(text: string): number | null {
  const written = /^\$?\s*(\d{1,9})(?:[.,](\d{1,6}))?\s*\$?$/.exec(text.trim());
  if (!written) return null;
  const [, whole = '0', part = ''] = written;
  const micros = Number(whole) * MICROS + Number(part.padEnd(6, '0'));
  return micros > 0 ? micros : null;
}
