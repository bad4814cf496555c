const MICROS = 1_000_000;
/** What the server takes: fifteen digits of micro-dollars. */
const MOST_MICROS = 10 ** 15 - 1;

/** `40`, `12.50` or `12,50` dollars as micro-dollars; null for what is no amount. */
export function microsOf(text: string): number | null {
  const amount = text
    .trim()
    .replace(/^\$\s*|\s*\$$/g, '')
    .replace(',', '.');
  if (!/^\d+(\.\d{1,6})?$/.test(amount)) return null;
  const micros = Math.round(Number(amount) * MICROS);
  return micros <= MOST_MICROS ? micros : null;
}

/** As one would type it: `12.5`. */
export const dollarsText = (micros: number): string => String(micros / MICROS);
