import { Fault } from './fault.ts';

const FULL = ['ENOSPC', 'EDQUOT'];

/** A file system's word that there is no room left, as the Fault it is; anything else stays what it was. */
export function diskFault(error: unknown): unknown {
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (error instanceof Fault || !FULL.includes(String(code))) return error;
  const where = typeof path === 'string' ? `that holds ${path} ` : '';
  return new Fault(
    'disk_full',
    `The disk ${where}is full. Free some space and try again.`,
    {},
    { cause: error },
  );
}
