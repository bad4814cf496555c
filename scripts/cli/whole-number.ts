import { usageError } from './command-error.ts';

/** A number given on the command line. @throws CommandError usage */
export function wholeNumber(text: string, what: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw usageError(`${what} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}
