import { usageError } from './command-error.ts';

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * The moment that `text` names, in epoch milliseconds: a date (midnight UTC) or a date and time, or how long before `nowMs`.
 * @throws CommandError usage
 */
export function sinceTime(text: string, nowMs: number): number {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  if (unit !== undefined) return nowMs - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  const at = /^\d{4}-\d{2}-\d{2}/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw usageError(
    `--since must be a date as 2026-01-31 or 2026-01-31T09:00, or how long ago as 30m, 12h, 7d or 2w, not ${JSON.stringify(text)}.`,
  );
}
