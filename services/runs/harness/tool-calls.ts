import type { CallBlock, Turn } from './conversation.ts';
import type { HarnessEvents } from './job.ts';
import type { RunJournal, ToolFinishedEntry } from './journal.ts';
import { INTERRUPTED } from './notes.ts';
import type { CallDecision, HarnessTool, ToolCall, ToolPort } from './tool-port.ts';

/** Tools get this long to come to an end after a cancel. */
const CANCEL_GRACE_MS = 1_500;
const SUMMARY_CHARS = 200;

/** The tools could not be reached at all, which is no tool's own failure. */
export class ToolsUnreachable extends Error {
  override readonly name = 'ToolsUnreachable';
}

export interface CallPorts {
  journal: RunJournal;
  tools: ToolPort;
  events: HarnessEvents;
  clock: () => number;
  /** Called before each batch of calls; throws to stop the run there. */
  beforeCalls?(): void;
}

/**
 * Runs the open calls of one answer in call order, neighbouring read-tier calls together, each once it is admitted, and
 * commits each result as it comes. Stops after the calls that wait for a person.
 * @returns what the run waits for, or null when every call has its result.
 * @throws ToolsUnreachable, what the journal threw, or the signal's reason; started calls have come to rest by then.
 */
export async function runCalls(
  calls: readonly CallBlock[],
  turn: Turn,
  ports: CallPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const tools = new Map(ports.tools.tools.map((tool) => [tool.name, tool]));
  for (const batch of batchesOf(calls, tools)) {
    signal.throwIfAborted();
    ports.beforeCalls?.();
    const settled = await Promise.allSettled(
      batch.map((call) => runCall(call, tools.get(call.name), turn, ports, signal)),
    );
    const failure = settled.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    const waiting = settled.find((result) => result.status === 'fulfilled' && result.value !== null);
    if (waiting?.status === 'fulfilled') return waiting.value;
  }
  return null;
}

function batchesOf(calls: readonly CallBlock[], tools: ReadonlyMap<string, HarnessTool>): CallBlock[][] {
  const batches: CallBlock[][] = [];
  const isRead = (call: CallBlock | undefined) => call !== undefined && tools.get(call.name)?.tier === 'read';
  for (const call of calls) {
    const last = batches.at(-1);
    if (isRead(call) && isRead(last?.[0])) last?.push(call);
    else batches.push([call]);
  }
  return batches;
}

async function runCall(
  call: CallBlock,
  tool: HarnessTool | undefined,
  turn: Turn,
  ports: CallPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const refusal = refusalOf(call, tool, turn, ports.tools.tools);
  if (refusal !== null) {
    await finish(call, { content: refusal, isError: true, durationMs: 0 }, ports);
    return null;
  }
  const heldBy = turn.held.get(call.id);
  const made = { callId: call.id, name: call.name, input: call.input, ...(heldBy && { heldBy }) };
  const admission = await reach(call, () => ports.tools.admit(made, signal), signal);
  if (admission.kind === 'suspend') return hold(call, heldBy, admission.waitingFor, ports);
  if (admission.kind === 'refused') {
    const content = turn.started.has(call.id) ? `${INTERRUPTED} ${admission.content}` : admission.content;
    const refusal = admission.decision && ({ decision: admission.decision, refused: true } as const);
    await finish(call, { content, isError: true, durationMs: 0, ...refusal }, ports);
    return null;
  }
  return carryOut(made, admission.decision, tool?.tier === 'read', turn, ports, signal);
}

/** The call waits for a person; a later admission is told which approval it was. */
async function hold(
  { id: callId, name }: CallBlock,
  heldBy: string | undefined,
  approvalId: string,
  { journal }: CallPorts,
): Promise<string> {
  if (heldBy !== approvalId)
    await journal.append('tool.hold', { kind: 'toolHeld', callId, name, approvalId });
  return approvalId;
}

async function carryOut(
  made: ToolCall,
  decision: CallDecision,
  isRead: boolean,
  turn: Turn,
  ports: CallPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const { callId, name, input } = made;
  signal.throwIfAborted();
  // A read runs again after a crash whether or not it had started, so its start needs no commit.
  const needsStart = !isRead && !turn.started.has(callId);
  if (needsStart) await ports.journal.append('tool.start', { kind: 'toolStarted', callId, name, decision });
  signal.throwIfAborted();
  ports.events.toolStarted({ callId, name, input });
  const startedAt = ports.clock();
  const outcome = await reach(made, () => ports.tools.execute(made, signal), signal);
  if (outcome.kind === 'suspend') return outcome.waitingFor;
  const { content, isError, media } = outcome;
  const durationMs = ports.clock() - startedAt;
  const extra = { ...(media && media.length > 0 && { media }), ...(!needsStart && { decision }) };
  await finish({ id: callId, name }, { content, isError, durationMs, ...extra }, ports);
  return null;
}

/** What the port says, for as long as it may take. */
async function reach<T>({ name }: { name: string }, ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await withinGrace(ask(), signal);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolsUnreachable(`The call of ${name} could not be made: ${reason}`, { cause: error });
  }
}

/** Why a call must not reach its tool, or null. */
function refusalOf(
  call: CallBlock,
  tool: HarnessTool | undefined,
  turn: Turn,
  tools: readonly HarnessTool[],
): string | null {
  if (tool === undefined) {
    const names = tools.map((known) => known.name).join(', ');
    return `There is no tool ${JSON.stringify(call.name)} here. The tools are: ${names === '' ? 'none' : names}.`;
  }
  if (typeof call.input === 'string')
    return `${notAnObject(call.name)} You wrote: ${call.input.slice(0, 500)}`;
  if (typeof call.input !== 'object' || call.input === null || Array.isArray(call.input)) {
    return notAnObject(call.name);
  }
  const mayRunAgain = tool.tier === 'read' || tool.keyed;
  return turn.started.has(call.id) && !mayRunAgain ? INTERRUPTED : null;
}

function notAnObject(name: string): string {
  return `The arguments of ${name} are not a valid JSON object, so it did not run. Call it again with valid JSON.`;
}

async function finish(
  call: Pick<CallBlock, 'id' | 'name'>,
  result: Omit<ToolFinishedEntry, 'kind' | 'callId' | 'name'>,
  ports: CallPorts,
): Promise<void> {
  const { content, isError, durationMs } = result;
  const identity = { callId: call.id, name: call.name };
  await ports.journal.append('tool.finish', { kind: 'toolFinished', ...identity, ...result });
  const summary = content.slice(0, SUMMARY_CHARS).toWellFormed();
  ports.events.toolFinished({ ...identity, isError, durationMs, summary });
}

/** The work's result; after an abort only as long as the grace lasts, then the signal's reason. */
async function withinGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), CANCEL_GRACE_MS);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, late]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}
