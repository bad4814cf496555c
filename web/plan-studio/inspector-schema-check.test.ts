import { expect, test } from 'bun:test';
import { readSchema, schemaText } from './inspector-schema-check.ts';

test('nothing is no schema, and a schema is read back as it is', () => {
  expect(readSchema('  \n')).toEqual({ schema: null });
  const schema = {
    type: 'object',
    properties: { gaps: { type: ['array', 'null'], items: { type: 'string' } } },
  };
  expect(readSchema(schemaText(schema))).toEqual({ schema });
});

test.each([
  ['{"type": "object"', 'json', ''],
  ['[1]', 'object', ''],
  ['"text"', 'object', ''],
  ['{"type": "text"}', 'type', ''],
  ['{"properties": []}', 'properties', ''],
  ['{"required": "a"}', 'required', ''],
  ['{"enum": "a"}', 'enum', ''],
  ['{"properties": {"a": {"items": {"type": 3}}}}', 'type', '/properties/a/items'],
] as const)('%s is refused as %s at %s', (text, why, path) => {
  expect(readSchema(text)).toEqual({ problem: { why, path } });
});
