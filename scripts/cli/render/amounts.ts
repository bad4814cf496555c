/** Micro-dollars as dollars, to the cent above a dollar and exactly below a cent: `$1.25`, `$0.034`, `$0.000150`. */
export function money(micros: number): string {
  if (micros === 0) return '$0';
  const digits = micros >= 1_000_000 ? 2 : micros >= 10_000 ? 3 : 6;
  return `$${(micros / 1_000_000).toFixed(digits)}`;
}

/** Milliseconds: `850 ms`, `12.3 s`, `3 min 5 s`, `2 h 4 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `unknown` for what is not known: it is never shown as zero. */
export function moneyOrUnknown(micros: number | null): string {
  return micros === null ? 'unknown' : money(micros);
}

export function range(value: { p25: number; p75: number } | null, show: (amount: number) => string): string {
  if (value === null) return 'unknown';
  const [low, high] = [show(value.p25), show(value.p75)];
  return low === high ? low : `${low}–${high}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
