import { type OutputUnit, Validator } from '@cfworker/json-schema';

/** One thing wrong with an output; `path` is like `tickets[2].title`, `(whole)` for the value itself. */
export interface SchemaFault {
  path: string;
  message: string;
}

export type CheckedOutput = { ok: true; value: unknown } | { ok: false; faults: SchemaFault[] };

const WHOLE = '(whole)';
const MAX_FAULTS = 50;

/** Checks the JSON of a final answer: its last ```json block, or else the whole text. */
export function checkOutput(text: string, schema: Record<string, unknown>): CheckedOutput {
  let value: unknown;
  try {
    value = JSON.parse(jsonTextOf(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, faults: [{ path: WHOLE, message: `This is not JSON (${reason}).` }] };
  }
  try {
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(value);
    return valid ? { ok: true, value } : { ok: false, faults: faultsOf(errors) };
  } catch (error) {
    // A reference that leads nowhere shows only when a value reaches it.
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, faults: [{ path: WHOLE, message: `The output schema cannot be used: ${reason}` }] };
  }
}

/** What makes a schema unusable, or null. */
export function schemaProblem(schema: Record<string, unknown>): string | null {
  try {
    new Validator(schema, '2020-12', false).validate({});
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function jsonTextOf(text: string): string {
  const fenced = [...text.matchAll(/^[ \t]*```json[ \t]*\r?\n([\s\S]*?)\r?\n?^[ \t]*```/gim)].at(-1);
  return fenced?.[1] ?? text;
}

const WRAPPERS = new Set(['properties', 'items', 'additionalProperties', 'unevaluatedProperties']);

// The validator also reports every schema on the way down to a fault; only the deepest reports say what to mend.
function faultsOf(errors: readonly OutputUnit[]): SchemaFault[] {
  const leaves = errors.filter(
    (error) => !WRAPPERS.has(error.keyword) && !errors.some((other) => isInside(other, error)),
  );
  const faults = (leaves.length > 0 ? leaves : errors).map(faultOf);
  const distinct = new Map(faults.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  return [...distinct.values()].slice(0, MAX_FAULTS);
}

function isInside(error: OutputUnit, outer: OutputUnit): boolean {
  return error.keywordLocation.startsWith(`${outer.keywordLocation}/`);
}

function faultOf({ keyword, instanceLocation, error }: OutputUnit): SchemaFault {
  if (keyword === 'false')
    return { path: pathOf(instanceLocation), message: 'This property is not allowed.' };
  const missing = keyword === 'required' ? /required property "(.*)"/.exec(error)?.[1] : undefined;
  if (missing === undefined) return { path: pathOf(instanceLocation), message: error };
  return { path: pathOf(instanceLocation, missing), message: 'This property is required.' };
}

/** `#/tickets/2/title` as `tickets[2].title`. */
function pathOf(pointer: string, ...below: string[]): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .concat(below);
  const path = parts.reduce(
    (text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );
  return path === '' ? WHOLE : path;
}
