import { useLanguage } from './language.ts';

const MICROS = 1_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const language = () => useLanguage.getState().language;

/** Formatters cost much to make, and screens with hundreds of numbers use a few of them. */
const formatters = new Map<string, Intl.NumberFormat>();

function number(value: number, digits: number): string {
  const key = `${language()} ${digits}`;
  const known = formatters.get(key);
  if (known) return known.format(value);
  const options = { maximumFractionDigits: digits, minimumFractionDigits: digits };
  const made = new Intl.NumberFormat(language(), options);
  formatters.set(key, made);
  return made.format(value);
}

/** `$1.24`; small sums keep the digits that say something: `$0.0031`. Null is for the caller to word: it is unknown, not 0. */
export function money(micros: number): string {
  const dollars = micros / MICROS;
  const digits = dollars === 0 || dollars >= 0.1 ? 2 : dollars >= 0.01 ? 3 : 4;
  const text = number(dollars, digits);
  return language() === 'fr' ? `${text} $` : `$${text}`;
}

const inUnit = (value: number, unit: string, digits = 1) =>
  `${number(value, value >= 10 || Number.isInteger(value) ? 0 : digits)} ${unit}`;

/** `0.4 s`, `12 s`, `3.5 min`, `2 h`, `1.5 d`. */
export function duration(ms: number): string {
  const day = language() === 'fr' ? 'j' : 'd';
  if (ms < SECOND) return ms < 100 ? `${Math.round(ms)} ms` : inUnit(ms / SECOND, 's');
  if (ms < MINUTE) return inUnit(ms / SECOND, 's');
  if (ms < HOUR) return inUnit(ms / MINUTE, 'min');
  return ms < DAY ? inUnit(ms / HOUR, 'h') : inUnit(ms / DAY, day);
}

/** `41–80 s`: one unit where both ends have the same. */
function range(low: string, high: string): string {
  if (low === high) return low;
  const [, lowUnit] = low.split(' ');
  const [, highUnit] = high.split(' ');
  return lowUnit !== undefined && lowUnit === highUnit ? `${low.split(' ')[0]}–${high}` : `${low} – ${high}`;
}

export const durationRange = (r: { p25: number; p75: number }) => range(duration(r.p25), duration(r.p75));
export const moneyRange = (r: { p25: number; p75: number }) =>
  money(r.p25) === money(r.p75) ? money(r.p25) : `${money(r.p25)} – ${money(r.p75)}`;

export const count = (n: number) => n.toLocaleString(language());
export const percent = (share: number) =>
  new Intl.NumberFormat(language(), { style: 'percent' }).format(share);

export function clockTime(at: number): string {
  const hour = language() === 'fr' ? '2-digit' : 'numeric';
  return new Intl.DateTimeFormat(language(), { hour, minute: '2-digit' }).format(at);
}

export function dateTime(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** `3 min ago`. */
export function ago(at: number, now: number): string {
  const relative = new Intl.RelativeTimeFormat(language(), { numeric: 'auto', style: 'short' });
  const ms = at - now;
  const past = Math.abs(ms);
  if (past < MINUTE) return relative.format(Math.round(ms / SECOND), 'second');
  if (past < HOUR) return relative.format(Math.round(ms / MINUTE), 'minute');
  return past < DAY
    ? relative.format(Math.round(ms / HOUR), 'hour')
    : relative.format(Math.round(ms / DAY), 'day');
}

/** `512 B`, `1.5 KB`, `4 MB`; octets in French. */
export function bytes(size: number): string {
  const letter = language() === 'fr' ? 'o' : 'B';
  if (size < 1024) return `${size} ${letter}`;
  return size < 1 << 20 ? inUnit(size / 1024, `K${letter}`) : inUnit(size / (1 << 20), `M${letter}`);
}
