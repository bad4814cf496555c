import type { RequestBlock, RequestMessage } from './messages-request.ts';
import { blocksOf, textOf } from './messages-request.ts';

type Placed = { message: RequestMessage; at: number };

/** Models from 4.6 on refuse to continue a started assistant message. */
const NO_PREFILL = /^claude-[a-z]+-(5|4-[6-9])/;

function findProblem<T>(items: T[], check: (item: T, index: number) => string | null): string | null {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== null) return problem;
  }
  return null;
}

function orderProblem(placed: Placed[]): string | null {
  const first = placed[0];
  if (first === undefined) return 'messages: at least one message is required';
  if (first.message.role !== 'user') return 'messages: first message must use the "user" role';
  return findProblem(placed, ({ message, at }, index) =>
    placed[index - 1]?.message.role === message.role
      ? `messages.${at}: roles must alternate between "user" and "assistant", but found multiple "${message.role}" roles in a row`
      : null,
  );
}

function idsOf(message: RequestMessage, type: 'tool_use' | 'tool_result'): string[] {
  const key = type === 'tool_use' ? 'id' : 'tool_use_id';
  return blocksOf(message.content)
    .filter((block) => block.type === type)
    .map((block) => block[key] ?? '');
}

function unansweredProblem(placed: Placed[]): string | null {
  return findProblem(placed, ({ message, at }, index) => {
    const next = placed[index + 1];
    const answered = next ? idsOf(next.message, 'tool_result') : [];
    const open = idsOf(message, 'tool_use').filter((id) => !answered.includes(id));
    if (open.length === 0) return null;
    return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  });
}

function resultProblem(blocks: RequestBlock[], asked: string[], at: number): string | null {
  const seen = new Set<string>();
  return findProblem(blocks, (block, index) => {
    if (block.type !== 'tool_result') return null;
    const id = block.tool_use_id ?? '';
    const where = `messages.${at}.content.${index}`;
    if (!asked.includes(id))
      return `${where}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    if (seen.has(id))
      return `${where}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    seen.add(id);
    if (index > 0 && blocks[index - 1]?.type !== 'tool_result')
      return `${where}: \`tool_result\` blocks must come first in the content of a message`;
    return null;
  });
}

function resultsProblem(placed: Placed[]): string | null {
  return findProblem(placed, ({ message, at }, index) => {
    const before = placed[index - 1];
    const asked = before ? idsOf(before.message, 'tool_use') : [];
    return resultProblem(blocksOf(message.content), asked, at);
  });
}

function repeatedIdProblem(placed: Placed[]): string | null {
  const seen = new Set<string>();
  return findProblem(placed, ({ message, at }) =>
    findProblem(idsOf(message, 'tool_use'), (id) => {
      if (seen.has(id)) return `messages.${at}: \`tool_use\` ids must be unique, found again: ${id}`;
      seen.add(id);
      return null;
    }),
  );
}

function unknownToolProblem(placed: Placed[], known: (name: string) => boolean): string | null {
  return findProblem(placed, ({ message, at }, index) => {
    const results = blocksOf(placed[index + 1]?.message.content);
    return findProblem(blocksOf(message.content), (block, position) => {
      if (block.type !== 'tool_use' || known(block.name ?? '')) return null;
      const result = results.find((candidate) => candidate.tool_use_id === block.id);
      if (result?.is_error === true) return null;
      return `messages.${at}.content.${position}: tool "${block.name}" was never offered in \`tools\`, so its \`tool_result\` must be an error (is_error: true)`;
    });
  });
}

function endProblem(placed: Placed[], model: string): string | null {
  const last = placed.at(-1)?.message;
  if (last?.role !== 'assistant') return null;
  if (NO_PREFILL.test(model))
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  const text = textOf(last.content);
  return text !== text.trimEnd()
    ? 'messages: final assistant content cannot end with trailing whitespace'
    : null;
}

/**
 * The rules between messages whose shape is already known to be right: order, tool pairing, known tools, end.
 * Repeated roles are merged by the real API; here they are a problem, since our clients must never send them.
 * A call of a tool that was never offered is right only when it was answered with an error.
 * @returns what is wrong, in the words of the API, or null.
 */
export function conversationProblem(
  messages: RequestMessage[],
  model: string,
  isKnownTool: (name: string) => boolean,
): string | null {
  const placed = messages
    .map((message, at) => ({ message, at }))
    .filter(({ message }) => message.role !== 'system');
  return (
    orderProblem(placed) ??
    unansweredProblem(placed) ??
    resultsProblem(placed) ??
    repeatedIdProblem(placed) ??
    unknownToolProblem(placed, isKnownTool) ??
    endProblem(placed, model)
  );
}
