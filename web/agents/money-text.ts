const MICROS = 1_000_000;

/** `12.5`, `12,50`, `$12` as micro-dollars; null for no sum, or one that is not above nothing. */
export function microsOf(text: string): number | null {
  const digits = text
    .replaceAll(/[\s$’']/g, '')
    .replace(/,(\d{1,2})$/, '.$1')
    .replaceAll(',', '');
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(digits)) return null;
  const micros = Math.round(Number(digits) * MICROS);
  return micros > 0 ? micros : null;
}

/** The sum as it is typed: `12.50`. */
export function moneyText(micros: number): string {
  const dollars = micros / MICROS;
  return Number.isInteger(dollars) ? String(dollars) : String(Number(dollars.toFixed(6)));
}
