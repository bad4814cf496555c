import { diskFault } from '../../kit/disk-fault.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import { type AdmissionOptions, admitCall } from '../guard/admit-call.ts';
import type { CallAdmission, HarnessTool, ToolCall, ToolOutcome, ToolPort } from '../harness/tool-port.ts';
import { keepMedia } from './keep-media.ts';
import { keepWhole } from './keep-whole.ts';
import { boundOutput, redact, wholeOutputPath } from './output.ts';
import { runCommand } from './run-command.ts';
import { runFolder } from './run-folder.ts';
import type { Tool, ToolContext, ToolReply } from './tool.ts';

export interface RunToolsOptions extends AdmissionOptions {
  /** The run's surface. */
  tools: readonly Tool[];
  contextOf(call: ToolCall, signal: AbortSignal): ToolContext;
  dataDir: string;
}

/** The tools of one run: what was not admitted does not run, and every output is redacted and bounded. */
export function createRunTools(options: RunToolsOptions): ToolPort {
  const byName = new Map(options.tools.map((tool) => [tool.name, tool]));
  const admitted = new WeakSet<ToolCall>();
  // It loads while the model thinks; whoever needs it is told when it does not.
  if (byName.has(runCommand.name)) options.commandReader().catch(() => undefined);
  return {
    tools: options.tools.map(offered),
    admit: async (call, signal) => {
      const tool = byName.get(call.name);
      if (!tool) return { kind: 'refused', decision: null, content: noSuchTool(call, options) };
      const admission = await admit(options, tool, call, signal);
      if (admission.kind === 'run') admitted.add(call);
      return admission;
    },
    execute: async (call, signal) => {
      const tool = byName.get(call.name);
      if (!tool) return refusal(noSuchTool(call, options));
      if (!admitted.delete(call)) return refusal(`Refused: this call of ${call.name} was not admitted.`);
      return execute(options, tool, call, signal);
    },
  };
}

function offered({ name, description, inputSchema, tier, keyed }: Tool): HarnessTool {
  return { name, description, inputSchema, tier, keyed };
}

function noSuchTool({ name }: ToolCall, { tools }: RunToolsOptions): string {
  return `There is no tool ${name} here. There are: ${tools.map((tool) => tool.name).join(', ')}.`;
}

function refusal(content: string): { kind: 'result'; content: string; isError: true } {
  return { kind: 'result', content, isError: true };
}

/** A fault that may pass is thrown on, so that the call is put here again; any other refuses it. */
async function admit(
  options: RunToolsOptions,
  tool: Tool,
  call: ToolCall,
  signal: AbortSignal,
): Promise<CallAdmission> {
  try {
    return await admitCall(options, tool, call, options.contextOf(call, signal));
  } catch (error) {
    if (error instanceof Fault && error.retryable) throw error;
    return { kind: 'refused', decision: null, content: failureOf(error, options, call).content };
  }
}

async function execute(
  options: RunToolsOptions,
  tool: Tool,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
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
function failureOf(thrown: unknown, { log }: RunToolsOptions, call: ToolCall) {
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

/** What is kept of a reply is kept before its entry, so that no entry names what is not there. */
async function finish(
  { dataDir, secrets }: RunToolsOptions,
  { workspaceId, runId }: ToolContext,
  { callId }: ToolCall,
  reply: ToolReply,
): Promise<ToolOutcome> {
  if (typeof reply === 'object' && reply.kind === 'suspend') return reply;
  const folder = runFolder(dataDir, workspaceId, runId);
  const path = wholeOutputPath(folder, callId);
  if (typeof reply === 'string') {
    return {
      kind: 'result',
      content: await boundOutput(redact(reply, secrets), path, callId),
      isError: false,
    };
  }
  const { isError, isBounded = false, whole, media = [] } = reply;
  const text = redact(reply.content, secrets);
  if (whole) await keepWhole(whole, path, secrets);
  const kept = [];
  for (const piece of media) kept.push(await keepMedia(folder, piece));
  const content = isBounded ? text : await boundOutput(text, path, callId);
  return { kind: 'result', content, isError, ...(kept.length > 0 && { media: kept }) };
}
