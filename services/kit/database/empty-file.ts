import { statSync } from 'node:fs';
import { Fault } from '../fault.ts';

/** libSQL takes a file without a byte for a new database; where one with data belongs, that would hide its loss. */
export function isEmptyFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}

export function emptyDatabase(path: string): Fault {
  return new Fault(
    'database_corrupt',
    `file:${path} is empty, and was not before. It was left untouched; restore it from a backup, or move it away.`,
    { database: `file:${path}` },
  );
}
