import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import type * as z from 'zod';
import { Fault } from './fault.ts';

/** zod validation of one part of a request; a failure is one Fault that names every wrong field by path. */
export function validate<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, (result) => {
    if (!result.success) throw invalidRequest(target, result.error.issues);
  });
}

export function invalidRequest(
  where: string,
  issues: readonly { path: PropertyKey[]; message: string }[],
): Fault {
  const faults = issues.map((issue) => ({ path: pathText(issue.path), message: issue.message }));
  const text = faults.map((fault) => `${fault.path || '(whole)'}: ${fault.message}`).join('; ');
  return new Fault('invalid_request', `The ${where} is not valid: ${text}.`, { faults });
}

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  );
}
