const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** What is wrong with a schema, and where; `why` picks the words. */
export interface SchemaProblem {
  why: 'json' | 'object' | 'type' | 'properties' | 'required' | 'items' | 'enum';
  path: string;
}

/** A text as an output schema: nothing typed is none (null), anything but a JSON object is refused. */
export function readSchema(
  text: string,
): { schema: Record<string, unknown> | null } | { problem: SchemaProblem } {
  if (text.trim() === '') return { schema: null };
  const value = parsed(text);
  if (value === undefined) return { problem: { why: 'json', path: '' } };
  const problem = problemOf(value, '');
  return problem ? { problem } : { schema: value as Record<string, unknown> };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The words of JSON Schema that results are commonly described with; all others are passed over. */
function problemOf(value: unknown, path: string): SchemaProblem | null {
  if (path !== '' && typeof value === 'boolean') return null;
  if (!isObject(value)) return { why: 'object', path };
  const { type, properties, required, items } = value;
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.every((one) => TYPES.includes(one))) return { why: 'type', path };
  if (properties !== undefined && !isObject(properties)) return { why: 'properties', path };
  if (required !== undefined && !isTexts(required)) return { why: 'required', path };
  if (value.enum !== undefined && !Array.isArray(value.enum)) return { why: 'enum', path };
  if (Array.isArray(items)) return { why: 'items', path };
  if (items !== undefined) return problemOf(items, `${path}/items`);
  for (const [name, inner] of Object.entries(properties ?? {})) {
    const problem = problemOf(inner, `${path}/properties/${name}`);
    if (problem) return problem;
  }
  return null;
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

export const schemaText = (schema: Record<string, unknown> | null): string =>
  schema === null ? '' : JSON.stringify(schema, null, 2);
