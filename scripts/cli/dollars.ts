import { usageError } from './command-error.ts';

const MICRO_DIGITS = 6;
const AMOUNT = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/;

/** Dollars on the command line as micro-dollars, exactly: `5`, `0.50`, `$12.345678`. @throws CommandError usage */
export function microsOf(text: string): number {
  const [, whole = '', parts = ''] = AMOUNT.exec(text) ?? [];
  const micros = Number(`${whole}${parts.padEnd(MICRO_DIGITS, '0')}`);
  if (whole !== '' && micros > 0) return micros;
  throw usageError(
    `An amount is more than nothing and less than a billion in dollars, as 5 or 0.50, to the millionth at most, not ${JSON.stringify(text)}. \`cctl budget clear\` takes a cap away.`,
  );
}
