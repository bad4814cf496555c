import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import * as z from 'zod';
import { Fault } from './fault.ts';
import { textFaults } from './text-faults.ts';

/** A body of megabytes may be wrong in a million places; nobody mends them one by one. */
const MOST_FAULTS = 200;
const SHOWN_FAULTS = 20;

/** zod validation of one part of a request; a failure is one Fault that names every wrong field by path. */
export function validate<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, wellFormed(schema), (result) => {
    if (!result.success) throw invalidRequest(target, result.error.issues);
  });
}

const WellFormed = z.unknown().superRefine((value, context) => {
  for (const { path, message } of textFaults(value)) context.addIssue({ code: 'custom', path, message });
});

/** The schema, asked only about what its own checks survive; callers see the same types. */
function wellFormed<Schema extends z.ZodType>(schema: Schema): Schema {
  return WellFormed.pipe(schema) as unknown as Schema;
}

export function invalidRequest(
  where: string,
  issues: readonly { path: PropertyKey[]; message: string }[],
): Fault {
  const faults = issues
    .slice(0, MOST_FAULTS)
    .map((issue) => ({ path: pathText(issue.path), message: issue.message }));
  const shown = faults.slice(0, SHOWN_FAULTS).map((fault) => `${fault.path || '(whole)'}: ${fault.message}`);
  const rest = issues.length > shown.length ? `; and ${issues.length - shown.length} more` : '';
  const what = where === 'json' ? 'body' : where;
  return new Fault('invalid_request', `The ${what} is not valid: ${shown.join('; ')}${rest}.`, { faults });
}

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  );
}
