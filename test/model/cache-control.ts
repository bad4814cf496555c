import type { MessagesRequest, RequestBlock } from './messages-request.ts';
import { blocksOf } from './messages-request.ts';

type CacheControl = { type: string; ttl?: string };

/** One cacheable piece of the prompt, in the order tools, system, messages. */
export interface PromptPart {
  /** Canonical text without cache_control, so that moving a breakpoint does not change the prefix. */
  text: string;
  breakpoint: CacheControl | null;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));
}

function breakpointOf(block: RequestBlock): CacheControl | null {
  if (block.cache_control) return block.cache_control;
  if (!Array.isArray(block.content)) return null;
  return block.content.findLast((inner) => inner.cache_control)?.cache_control ?? null;
}

/** The prompt in pieces; a `cache_control` of the request itself marks the last piece. */
export function promptPartsOf(request: MessagesRequest): PromptPart[] {
  const parts: PromptPart[] = [];
  for (const tool of request.tools ?? [])
    parts.push({ text: canonical(tool), breakpoint: tool.cache_control ?? null });
  for (const block of blocksOf(request.system))
    parts.push({ text: canonical(block), breakpoint: breakpointOf(block) });
  for (const message of request.messages)
    for (const block of blocksOf(message.content))
      parts.push({ text: message.role + canonical(block), breakpoint: breakpointOf(block) });
  const last = parts.at(-1);
  if (request.cache_control && last) last.breakpoint ??= request.cache_control;
  return parts;
}

/** Number of cache_control marks in the request, those inside tool results included. */
export function cacheControlCount(request: MessagesRequest): number {
  const count = (blocks: RequestBlock[]): number =>
    blocks.reduce((sum, block) => {
      const inner = Array.isArray(block.content) ? count(block.content) : 0;
      return sum + inner + (block.cache_control ? 1 : 0);
    }, 0);
  const tools = (request.tools ?? []).filter((tool) => tool.cache_control).length;
  const messages = request.messages.reduce((sum, { content }) => sum + count(blocksOf(content)), 0);
  return tools + count(blocksOf(request.system)) + messages + (request.cache_control ? 1 : 0);
}
