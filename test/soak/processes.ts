import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the running processes with a word among their arguments. */
export function processesWith(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => argumentsOf(pid).some((argument) => argument.includes(word)));
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It ended since the folder was read.
    return [];
  }
}
