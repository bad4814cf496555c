import { isRecord } from './is-record.ts';

const NAME_PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;

function schemaProblem(schema: unknown, where: string): string | null {
  const place = `${where}.custom.input_schema`;
  if (schema === undefined) return `${place}: Field required`;
  if (!isRecord(schema)) return `${place}: Input should be an object`;
  if (schema.type !== 'object') return `${place}.type: Input should be 'object'`;
  if (['oneOf', 'anyOf', 'allOf'].some((key) => key in schema))
    return `${place}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  const { properties, required } = schema;
  if (properties !== undefined && properties !== null && !isRecord(properties))
    return `${place}.properties: Input should be an object`;
  const isList = Array.isArray(required) && required.every((key) => typeof key === 'string');
  return required === undefined || required === null || isList
    ? null
    : `${place}.required: Input should be a list of strings`;
}

function toolProblem(tool: unknown, at: number): string | null {
  const where = `tools.${at}`;
  if (!isRecord(tool)) return `${where}: Input should be an object`;
  if (typeof tool.name !== 'string') return `${where}.custom.name: Field required`;
  if (!NAME_PATTERN.test(tool.name))
    return `${where}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$', got "${tool.name}"`;
  // Tools that the API defines itself carry a dated type and no schema.
  const isCustom = tool.type === undefined || tool.type === null || tool.type === 'custom';
  return isCustom ? schemaProblem(tool.input_schema, where) : null;
}

/** What is wrong with `tools`, or null. */
export function toolsProblem(tools: unknown): string | null {
  if (tools === undefined) return null;
  if (!Array.isArray(tools)) return 'tools: Input should be a list';
  const names = new Set<string>();
  for (const [at, tool] of tools.entries()) {
    const problem = toolProblem(tool, at);
    if (problem !== null) return problem;
    if (names.has(tool.name)) return `tools: Tool names must be unique, found again: ${tool.name}`;
    names.add(tool.name);
  }
  return null;
}

/** What is wrong with `tool_choice`, or null: a tool asked for by name must be offered. */
export function toolChoiceProblem(choice: unknown, offered: ReadonlySet<string>): string | null {
  if (choice === undefined) return null;
  if (!isRecord(choice) || !['auto', 'any', 'tool', 'none'].includes(String(choice.type)))
    return "tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'";
  if (choice.type !== 'none' && offered.size === 0)
    return 'tool_choice may only be specified while providing tools';
  if (choice.type !== 'tool') return null;
  if (typeof choice.name !== 'string') return 'tool_choice.tool.name: Field required';
  return offered.has(choice.name) ? null : `Tool '${choice.name}' not found in provided tools`;
}
