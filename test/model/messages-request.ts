/** One block of a message, a system prompt or a tool result. */
export interface RequestBlock {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: string | RequestBlock[];
  is_error?: boolean;
  thinking?: string;
  signature?: string;
  cache_control?: { type: string; ttl?: string } | null;
  [field: string]: unknown;
}

export interface RequestMessage {
  role: 'user' | 'assistant' | 'system';
  content: string | RequestBlock[];
}

export interface OfferedTool {
  name: string;
  type?: string | null;
  description?: string;
  input_schema?: Record<string, unknown>;
  cache_control?: { type: string; ttl?: string } | null;
  [field: string]: unknown;
}

/** Body of POST /v1/messages and /v1/messages/count_tokens, as far as the stand-in reads it. */
export interface MessagesRequest {
  model: string;
  max_tokens: number;
  messages: RequestMessage[];
  system?: string | RequestBlock[];
  tools?: OfferedTool[];
  tool_choice?: { type: string; name?: string };
  stream?: boolean;
  metadata?: { user_id?: string | null };
  cache_control?: { type: string; ttl?: string } | null;
  [field: string]: unknown;
}

/** Content as blocks: a string is one text block. */
export function blocksOf(content: string | RequestBlock[] | undefined): RequestBlock[] {
  if (content === undefined) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The text of the text blocks, one a line. */
export function textOf(content: string | RequestBlock[] | undefined): string {
  return blocksOf(content)
    .map((block) => (block.type === 'text' ? (block.text ?? '') : ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** System text: the system prompt and the system messages between the turns. */
export function systemTextOf(request: MessagesRequest): string {
  const between = request.messages.filter((message) => message.role === 'system');
  return [textOf(request.system), ...between.map((message) => textOf(message.content))].join('\n');
}

/** The messages of user and assistant, without system messages between them. */
export function conversationOf(request: MessagesRequest): RequestMessage[] {
  return request.messages.filter((message) => message.role !== 'system');
}
