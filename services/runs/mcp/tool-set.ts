import { type CallToolResult, ErrorCode, McpError, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Fault } from '../../kit/fault.ts';

/** One `tools/call` as a client sent it. */
export interface IncomingCall {
  name: string;
  input: Record<string, unknown>;
  /** What the client says about the call itself. */
  meta: Record<string, unknown>;
  /** The client's number of the request, by which it takes the call back. */
  requestId: string | number;
  /** Aborted when nobody is there any more to take the answer. */
  gone: AbortSignal;
  /** Tells a client that asked for it that the call is still being worked on. */
  beat(message: string): Promise<void>;
}

/** What one token is offered, and how it is called. */
export interface ToolSet {
  /** For the model behind the client. */
  instructions: string;
  /** A call may wait long for people, so that it has to show that it is alive. */
  mayWait: boolean;
  list(): Promise<Tool[]>;
  /** @throws McpError for a name that is not offered, Fault for what the caller can mend */
  call(call: IncomingCall): Promise<CallToolResult>;
  /** The client takes a call back. */
  cancel(requestId: string | number): void;
}

export function textResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], isError };
}

/** The same JSON as text, for clients that read only that. */
export function jsonResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** A failure with the code that programs branch on and the words that people read. */
export function faultResult({ code, message, retryable, detail }: Fault): CallToolResult {
  const error = { code, message, retryable, detail };
  return { ...jsonResult({ error }), isError: true };
}

/** A tool that is not offered does not exist, whatever else it is. */
export function unknownTool(name: string, offered: readonly string[]): McpError {
  const names = offered.join(', ') || 'none';
  const shown = JSON.stringify(name.slice(0, 100));
  return new McpError(ErrorCode.InvalidParams, `There is no tool ${shown} here. There are: ${names}.`);
}
