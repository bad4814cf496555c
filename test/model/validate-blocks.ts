import { isRecord } from './is-record.ts';
import { mediaProblem } from './validate-media.ts';

const USER_BLOCKS = ['text', 'image', 'document', 'search_result', 'tool_result'];
const ASSISTANT_BLOCKS = ['text', 'thinking', 'redacted_thinking', 'tool_use'];
const BLOCKS_OF_ROLE: Record<string, string[]> = {
  user: USER_BLOCKS,
  assistant: ASSISTANT_BLOCKS,
  system: ['text'],
};
const RESULT_BLOCKS = ['text', 'image', 'document', 'search_result'];
const ID_PATTERN = /^[a-zA-Z0-9_-]+$/;

function textProblem(text: unknown, where: string): string | null {
  if (typeof text !== 'string') return `${where}.text.text: Input should be a valid string`;
  if (text === '') return `${where}: text content blocks must be non-empty`;
  return text.trim() === '' ? `${where}: text content blocks must contain non-whitespace text` : null;
}

function contentProblem(block: Record<string, unknown>, where: string): string | null {
  if (block.type === 'text') return textProblem(block.text, where);
  return block.type === 'image' || block.type === 'document' ? mediaProblem(block, where) : null;
}

function toolUseProblem(block: Record<string, unknown>, where: string): string | null {
  const { id, name, input } = block;
  if (typeof id !== 'string' || !ID_PATTERN.test(id))
    return `${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
  if (typeof name !== 'string' || name === '') return `${where}.tool_use.name: Field required`;
  return isRecord(input) ? null : `${where}.tool_use.input: Input should be a valid dictionary`;
}

function toolResultProblem(block: Record<string, unknown>, where: string): string | null {
  const { tool_use_id: id, content, is_error: isError } = block;
  if (typeof id !== 'string') return `${where}.tool_result.tool_use_id: Field required`;
  if (isError !== undefined && typeof isError !== 'boolean')
    return `${where}.tool_result.is_error: Input should be a valid boolean`;
  if (content === undefined || typeof content === 'string') return null;
  if (!Array.isArray(content))
    return `${where}.tool_result.content: Input should be a string or a list of blocks`;
  for (const [index, part] of content.entries()) {
    const place = `${where}.tool_result.content.${index}`;
    if (!isRecord(part) || typeof part.type !== 'string') return `${place}: Input should be a content block`;
    if (!RESULT_BLOCKS.includes(part.type))
      return `${place}: \`${part.type}\` blocks cannot be in a tool result, expected one of ${RESULT_BLOCKS.join(', ')}`;
    if (isError === true && part.type !== 'text')
      return `${where}.tool_result: all content must be type "text" if "is_error" is true`;
    const problem = contentProblem(part, place);
    if (problem !== null) return problem;
  }
  return null;
}

function thinkingProblem(block: Record<string, unknown>, where: string): string | null {
  if (typeof block.thinking !== 'string') return `${where}.thinking.thinking: Field required`;
  if (typeof block.signature === 'string' && block.signature !== '') return null;
  return `${where}.thinking.signature: Field required`;
}

function blockProblem(block: unknown, role: string, where: string): string | null {
  if (!isRecord(block) || typeof block.type !== 'string') return `${where}.type: Field required`;
  const allowed = BLOCKS_OF_ROLE[role] ?? [];
  if (!allowed.includes(block.type))
    return `${where}: \`${block.type}\` blocks cannot be in \`${role}\` messages, expected one of ${allowed.join(', ')}`;
  if (block.type === 'tool_use') return toolUseProblem(block, where);
  if (block.type === 'tool_result') return toolResultProblem(block, where);
  if (block.type === 'thinking') return thinkingProblem(block, where);
  return contentProblem(block, where);
}

/** What is wrong with a list of text blocks (the system prompt), or null. */
export function systemProblem(system: unknown): string | null {
  if (system === undefined || typeof system === 'string') return null;
  if (!Array.isArray(system)) return 'system: Input should be a string or a list of text blocks';
  for (const [index, block] of system.entries()) {
    const where = `system.${index}`;
    if (!isRecord(block) || block.type !== 'text') return `${where}.type: Input should be 'text'`;
    const problem = textProblem(block.text, where);
    if (problem !== null) return problem;
  }
  return null;
}

/** What is wrong with the shape of one message, or null. */
export function messageProblem(message: unknown, at: number): string | null {
  const where = `messages.${at}`;
  if (!isRecord(message)) return `${where}: Input should be an object`;
  const { role, content } = message;
  if (typeof role !== 'string' || !(role in BLOCKS_OF_ROLE))
    return `${where}.role: Input should be 'user', 'assistant' or 'system'`;
  const isText = typeof content === 'string';
  if (!isText && !Array.isArray(content))
    return `${where}.content: Input should be a string or a list of blocks`;
  if (content.length === 0) return `${where}: all messages must have non-empty content`;
  if (isText)
    return content.trim() === '' ? `${where}: text content blocks must contain non-whitespace text` : null;
  for (const [index, block] of content.entries()) {
    const problem = blockProblem(block, role, `${where}.content.${index}`);
    if (problem !== null) return problem;
  }
  return null;
}
