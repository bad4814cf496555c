import { usageError } from './command-error.ts';

/** Keys of sub-tickets as they are given to --tickets: with commas between, each once. @throws CommandError usage */
export function ticketKeys(text: string): string[] {
  const keys = [...new Set(text.split(',').map((key) => key.trim()))].filter((key) => key !== '');
  if (keys.length === 0) throw usageError('--tickets names no sub-ticket; give their keys as in api,docs.');
  return keys;
}
