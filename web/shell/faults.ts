import { ApiProblem } from '../api/problem.ts';

interface FieldFault {
  path: string;
  message: string;
}

const isFieldFault = (value: unknown): value is FieldFault =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as FieldFault).path === 'string' &&
  typeof (value as FieldFault).message === 'string';

/** What the server has against a field (`name`, `agents`, `repositories[0].path`) or what is below it; null for nothing. */
export function faultAt(error: unknown, field: string): string | null {
  if (!(error instanceof ApiProblem) || !Array.isArray(error.facts.faults)) return null;
  const mine = error.facts.faults
    .filter(isFieldFault)
    .filter(
      ({ path }) => path === field || (path.startsWith(field) && /^[.[]/.test(path.slice(field.length))),
    );
  return mine.length === 0 ? null : mine.map(({ message }) => message).join('; ');
}
