import type { CallToolResult, Tool as OfferedTool } from '@modelcontextprotocol/sdk/types.js';
import type { EffectClass } from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { textFaults } from '../../kit/text-faults.ts';
import { signText } from '../guard/call-key.ts';
import type { RunRow } from '../runs/schema.ts';
import { redactedJson } from '../tools/redacted-json.ts';
import type { Tool } from '../tools/tool.ts';
import { knownCalls } from './call-store.ts';
import { makeCall } from './run-call.ts';
import type { Serving } from './serve.ts';
import { type IncomingCall, type ToolSet, textResult, unknownTool } from './tool-set.ts';

/** Where Claude Code writes the id that the model gave the call. */
const CALL_ID = 'claudecode/toolUseId';

const INSTRUCTIONS =
  'These are the tools of one run of an agent. A call that people have to allow is answered when they have decided.';

/** What a run's token is offered: that run's own surface, as its model would get it. */
export function runSet(serving: Serving, workspaceId: string, row: RunRow): ToolSet {
  const { surfaces, calls } = serving;
  return {
    instructions: INSTRUCTIONS,
    mayWait: true,
    list: async () => (await surfaces.of(workspaceId, row)).tools.map(offered),
    call: (incoming) => calls.during(call(serving, workspaceId, row, incoming)),
    cancel: (requestId) => calls.cancel(row.id, requestId),
  };
}

/** Of a tool's effects these only add, or only look. */
const HARMLESS: readonly EffectClass[] = ['git_commit', 'pr_create', 'network_egress', 'secret_access'];

function offered({ name, description, inputSchema, tier, effects }: Tool): OfferedTool {
  const readOnlyHint = tier === 'read';
  const destructiveHint = !readOnlyHint && effects.some((effect) => !HARMLESS.includes(effect));
  const annotations = { readOnlyHint, destructiveHint };
  return { name, description, inputSchema: { ...inputSchema, type: 'object' }, annotations };
}

async function call(
  { deps, surfaces, calls }: Serving,
  workspaceId: string,
  row: RunRow,
  incoming: IncomingCall,
): Promise<CallToolResult> {
  requireUnderWay(row);
  const { name, input, requestId } = incoming;
  const { tools, port } = await surfaces.of(workspaceId, row);
  const tool = tools.find((known) => known.name === name);
  if (!tool) throw unknownTool(name, namesOf(tools));
  // Before anything is made of it: what is nested without end cannot even be written out.
  const fault = textFaults(input).length > 0 ? tool.faultOf(input) : null;
  if (fault !== null) return textResult(fault, true);
  const database = await deps.databases.open(workspaceId);
  const inputDigest = await signText(database, JSON.stringify([name, input]));
  const asked = { run: row, callId: callIdOf(incoming), name, inputDigest };
  const found = await knownCalls(database, asked);
  // From here to `begin` nothing is waited for, so that one call alone goes on with what waits.
  const known = found.find(({ callId }) => callId === asked.callId || !calls.has(row.id, callId)) ?? null;
  if (known?.result) return textResult(known.result.content, known.result.isError);
  const identity = { ...asked, callId: known?.callId ?? asked.callId };
  const { signal, end } = calls.begin(row.id, identity.callId, requestId);
  const shown = { ...incoming, input: redactedJson(input, deps.secrets ?? []) };
  const made = makeCall({ deps, workspaceId, identity, known, tool, port, incoming: shown, signal });
  const { content, isError } = await made.finally(end);
  return textResult(content, isError);
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.map(({ name }) => name);
}

/** @throws Fault wrong_status */
function requireUnderWay({ id, startedAt, phase, status }: RunRow): void {
  if (startedAt !== null && phase !== 'paused') return;
  throw new Fault('wrong_status', `Run ${id} is ${status}; its tools can be called while it is under way.`);
}

/** The id that the model's own call has, so that it is known by one name everywhere; a new one where the client tells none. */
function callIdOf({ meta }: IncomingCall): string {
  const told = meta[CALL_ID];
  if (told === undefined) return newId('call');
  if (typeof told === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(told)) return told;
  throw new Fault('invalid_request', `_meta["${CALL_ID}"] must be 1 to 64 letters, digits, - and _.`);
}
