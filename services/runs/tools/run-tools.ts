import type { CapabilityProfile, Mode } from '../../../core-wasm/core.ts';
import { diskFault } from '../../kit/disk-fault.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import type { Log } from '../../kit/log.ts';
import { judgeCall } from '../guard/guard.ts';
import type { HarnessTool, ToolCall, ToolOutcome, ToolPort } from '../harness/tool-port.ts';
import { boundOutput, redact, wholeOutputPath } from './output.ts';
import type { Tool, ToolContext, ToolReply } from './tool.ts';

export interface RunToolsOptions {
  /** The run's surface. */
  tools: readonly Tool[];
  profile: CapabilityProfile;
  /** The mode that the run's space has now. */
  presentMode(): Promise<Mode>;
  contextOf(call: ToolCall, signal: AbortSignal): ToolContext;
  dataDir: string;
  secrets: readonly string[];
  log: Log;
}

/** The tools of one run: every call passes the guard, and its output is redacted and bounded. */
export function createRunTools(options: RunToolsOptions): ToolPort {
  const byName = new Map(options.tools.map((tool) => [tool.name, tool]));
  return {
    tools: options.tools.map(offered),
    execute: async (call, signal) => {
      const tool = byName.get(call.name);
      if (!tool)
        return refusal(`There is no tool ${call.name} here. There are: ${[...byName.keys()].join(', ')}.`);
      return execute(options, tool, call, signal);
    },
  };
}

function offered({ name, description, inputSchema, tier, keyed }: Tool): HarnessTool {
  return { name, description, inputSchema, tier, keyed };
}

function refusal(content: string): ToolOutcome {
  return { kind: 'result', content, isError: true };
}

async function execute(
  options: RunToolsOptions,
  tool: Tool,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const judgement = await judgeCall(options.profile, tool, options.presentMode);
  if (!judgement.allowed) return refusal(`Refused: ${judgement.reason}`);
  const context = options.contextOf(call, signal);
  const reply = await tool
    .call(context, call.input)
    .catch((error: unknown) => failureOf(error, options, call));
  return finish(options, context, call, reply);
}

/**
 * What went wrong, in the words of the fault; anything else is the log's matter. A full disk is thrown on: the model can do
 * nothing about it, a person can, and then the call is made again.
 */
function failureOf(thrown: unknown, { log }: RunToolsOptions, call: ToolCall): ToolOutcome {
  const error = diskFault(thrown);
  if (hasFaultCode(error, 'disk_full')) throw error;
  if (error instanceof Fault) return refusal(`${error.message}${faultLines(error)}`);
  log.error({ err: error, tool: call.name, callId: call.callId }, 'a tool failed unexpectedly');
  return refusal(`${call.name} failed inside Control Center; the server log has the cause.`);
}

/** Faults by path, so that all of them can be mended at once. */
function faultLines({ detail, message }: Fault): string {
  if (!Array.isArray(detail.faults)) return '';
  const faults = detail.faults as { path: string; message: string }[];
  const lines = faults.map((fault) => `${fault.path || '(whole)'}: ${fault.message}`);
  return lines
    .filter((line) => !message.includes(line))
    .map((line) => `\n- ${line}`)
    .join('');
}

async function finish(
  { dataDir, secrets }: RunToolsOptions,
  { workspaceId, runId }: ToolContext,
  { callId }: ToolCall,
  reply: ToolReply,
): Promise<ToolOutcome> {
  if (typeof reply === 'object' && reply.kind === 'suspend') return reply;
  const text = redact(typeof reply === 'string' ? reply : reply.content, secrets);
  const isError = typeof reply === 'object' && reply.isError;
  const isBounded = typeof reply === 'object' && reply.isBounded === true;
  const path = wholeOutputPath(dataDir, workspaceId, runId, callId);
  return { kind: 'result', content: isBounded ? text : await boundOutput(text, path), isError };
}
