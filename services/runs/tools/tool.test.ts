import { expect, test } from 'bun:test';
import { EVERY_TOOL } from './every-tool.ts';
import type { ToolContext } from './tool.ts';

const NOWHERE = {} as ToolContext;

test('every tool has its own name and the JSON Schema of an object', () => {
  const names = EVERY_TOOL.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { inputSchema } of EVERY_TOOL) {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(inputSchema).not.toHaveProperty('$schema');
  }
});

test('a wrong input is told field by field and does nothing', async () => {
  const tool = EVERY_TOOL.find(({ name }) => name === 'create_ticket')!;
  const reply = await tool.call(NOWHERE, { title: '', labels: ['a', 3], extra: 1 });
  expect(reply).toMatchObject({ kind: 'result', isError: true });
  const { content } = reply as { content: string };
  for (const path of ['title', 'description', 'labels[1]', 'extra']) expect(content).toContain(path);
});
