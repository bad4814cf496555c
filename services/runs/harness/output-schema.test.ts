import { describe, expect, test } from 'bun:test';
import { checkOutput, schemaProblem } from './output-schema.ts';

const SCHEMA = {
  type: 'object',
  required: ['tickets', 'count'],
  additionalProperties: false,
  properties: {
    tickets: {
      type: 'array',
      items: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
    },
    count: { type: 'integer' },
  },
};

function pathsOf(text: string): string[] {
  const checked = checkOutput(text, SCHEMA);
  return checked.ok ? [] : checked.faults.map((fault) => fault.path).sort();
}

describe('an output', () => {
  test('has every fault named by its path, once', () => {
    const value = { tickets: [{ title: 'a' }, { title: 2 }, {}], 'x y': 1 };
    expect(pathsOf(JSON.stringify(value))).toEqual(['count', 'tickets[1].title', 'tickets[2].title', 'x y']);
  });

  test('that is no JSON has one fault, of the whole', () => {
    expect(pathsOf('Here you are: {')).toEqual(['(whole)']);
    expect(pathsOf('[]')).toEqual(['(whole)']);
  });

  test('is the last json block, whatever stands around it and however lines end', () => {
    const text = 'A\r\n```json\r\n{"tickets": [], "count": 1}\r\n```\r\nB\r\n```text\r\nno\r\n```\r\n';
    expect(checkOutput(text, SCHEMA)).toEqual({ ok: true, value: { tickets: [], count: 1 } });
  });

  test('whose strings hold a fence is still read whole', () => {
    const value = { tickets: [{ title: '```json\n{}\n```' }], count: 1 };
    expect(checkOutput(`\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``, SCHEMA)).toEqual({
      ok: true,
      value,
    });
  });
});

test('a schema with a reference to nowhere is a problem, a good one is none', () => {
  expect(schemaProblem(SCHEMA)).toBeNull();
  expect(schemaProblem({ $ref: '#/nowhere' })).toContain('#/nowhere');
  const deep = { type: 'object', properties: { a: { $ref: '#/nowhere' } } };
  expect(checkOutput('{"a": 1}', deep)).toMatchObject({ ok: false, faults: [{ path: '(whole)' }] });
});
