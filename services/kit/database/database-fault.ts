import { Fault } from '../fault.ts';

/** Turns a driver's error into a Fault that says which database and how to mend it. */
export function databaseFault(error: unknown, url: string): unknown {
  if (error instanceof Fault) return error;
  const code = String((error as { code?: unknown }).code ?? '');
  const detail = { database: url, driverCode: code };
  const because = { cause: error };
  if (code.startsWith('SQLITE_FULL') || code.startsWith('SQLITE_IOERR')) {
    return new Fault(
      'disk_full',
      `The disk that holds ${url} is full or failing. Nothing was changed; free some space and try again.`,
      detail,
      because,
    );
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return new Fault(
      'database_corrupt',
      `${url} is not a readable database. It was left untouched; restore it from a backup, or move it away to start empty.`,
      detail,
      because,
    );
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new Fault(
      'database_busy',
      `${url} stayed locked by another process. Nothing was changed; try again, or end the process that holds it.`,
      detail,
      because,
    );
  }
  if (code.startsWith('SQLITE_CONSTRAINT')) {
    return new Fault(
      'conflict',
      'The change goes against a rule of the database, most often because the same thing exists already.',
      detail,
      because,
    );
  }
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY')) {
    return new Fault(
      'unavailable',
      `${url} cannot be opened for writing. Check that its folder exists and that it may be written.`,
      detail,
      because,
    );
  }
  return error;
}
