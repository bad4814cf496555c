import { Fault, hasFaultCode } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { INTERRUPTED } from '../harness/notes.ts';
import type { CallDecision, ToolCall, ToolOutcome, ToolPort } from '../harness/tool-port.ts';
import { isRunId } from '../runs/run.ts';
import { findRow } from '../runs/store.ts';
import type { Tool } from '../tools/tool.ts';
import {
  type CallIdentity,
  finishCall,
  holdCall,
  type KnownCall,
  releaseCall,
  startCall,
} from './call-store.ts';
import { lookUntil } from './look-until.ts';
import type { IncomingCall } from './tool-set.ts';

export interface RunCall {
  deps: RunsDeps;
  workspaceId: string;
  identity: CallIdentity;
  /** What is kept of the call from before. */
  known: KnownCall | null;
  tool: Tool;
  port: ToolPort;
  incoming: IncomingCall;
  /** Aborted when the client takes the call back, or this process ends. */
  signal: AbortSignal;
}

type Result = Extract<ToolOutcome, { kind: 'result' }>;

const HELD_MS = 10 * 60_000;
const BEAT_MS = 10_000;

/**
 * Makes one call of a run as its loop would: admitted first, kept as begun before it runs, its result kept after. Waits for
 * the people or the run that it needs, for as long as the client does and no longer than the longest wait.
 * @throws Fault timeout when nobody decided; the signal's reason; cancelled when the run has ended or the client has left
 */
export async function makeCall(call: RunCall): Promise<Result> {
  const watch = new AbortController();
  const signal = AbortSignal.any([call.signal, endOfRun(call, watch.signal)]);
  try {
    return await attempts({ ...call, signal });
  } finally {
    watch.abort();
  }
}

/** Aborted once the run has ended, whoever ended it; watched until `done`. */
function endOfRun({ deps, workspaceId, identity }: RunCall, done: AbortSignal): AbortSignal {
  const ended = new AbortController();
  const isEnded = async () => {
    const database = await deps.databases.open(workspaceId);
    return (await findRow(database, identity.run.id)).phase === 'ended';
  };
  lookUntil(deps.databases.wakes, workspaceId, isEnded, done)
    .then((isOver) => {
      if (isOver) ended.abort(new Fault('cancelled', `Run ${identity.run.id} has ended.`));
    })
    .catch((error: unknown) => ended.abort(error));
  return ended.signal;
}

async function attempts(call: RunCall): Promise<Result> {
  const { tool, identity, incoming, port, signal, known } = call;
  const { callId, name } = identity;
  if (known?.isStarted && !mayRunAgain(tool)) return finished(call, refusal(INTERRUPTED), null);
  let heldBy = known?.heldBy ?? null;
  for (let isStarted = known?.isStarted ?? false; ; ) {
    signal.throwIfAborted();
    const made: ToolCall = { callId, name, input: incoming.input, ...(heldBy && { heldBy }) };
    const admission = await port.admit(made, signal);
    if (admission.kind === 'refused') return finished(call, refusal(admission.content), admission.decision);
    if (admission.kind === 'suspend') {
      heldBy = admission.waitingFor;
      await held(call, heldBy, heldBy);
      continue;
    }
    signal.throwIfAborted();
    const { decision } = admission;
    isStarted ||= await begun(call, decision);
    const outcome = await port.execute(made, signal);
    // What is cut off by the end of this process is told of as cut off, not as what it came to.
    if (hasFaultCode(signal.reason, 'unavailable')) throw signal.reason;
    if (outcome.kind === 'result') return finished(call, textOnly(outcome), isStarted ? null : decision);
    await held(call, heldBy, outcome.waitingFor);
  }
}

/** A result is kept as text and given again as it was, so what is to be looked at is not given at all, and said not to be. */
function textOnly({ content, isError, media = [] }: Result): Result {
  if (media.length === 0) return { kind: 'result', content, isError };
  return {
    kind: 'result',
    content: `${content}\n(Over this protocol images and documents are not shown.)`,
    isError,
  };
}

function mayRunAgain({ tier, keyed }: Tool): boolean {
  return tier === 'read' || keyed;
}

function refusal(content: string): Result {
  return { kind: 'result', content, isError: true };
}

/** A read runs again whether or not it had begun, so that it needs no mark. */
async function begun(
  { deps, workspaceId, identity, tool }: RunCall,
  decision: CallDecision,
): Promise<boolean> {
  if (tool.tier === 'read') return false;
  const database = await deps.databases.open(workspaceId);
  if (await startCall(database, identity, decision, deps.clock())) return true;
  throw new Fault('cancelled', `Run ${identity.run.id} has ended, so nothing was done.`);
}

async function finished(
  { deps, workspaceId, identity }: RunCall,
  result: Result,
  decision: CallDecision | null,
): Promise<Result> {
  const database = await deps.databases.open(workspaceId);
  await finishCall(database, identity, result, decision, deps.clock());
  return result;
}

/** Keeps what the call waits for, and for how long somebody waits. */
async function held(call: RunCall, heldBy: string | null, waitingFor: string): Promise<void> {
  const { deps, workspaceId, identity } = call;
  const open = () => deps.databases.open(workspaceId);
  await holdCall(await open(), identity, { heldBy, waitingFor }, deps.clock());
  try {
    await waited(call, waitingFor);
  } finally {
    await releaseCall(await open(), identity);
  }
}

/** @throws Fault timeout, cancelled; the signal's reason */
async function waited(call: RunCall, waitingFor: string): Promise<void> {
  const { deps, workspaceId, incoming, signal } = call;
  const heldMs = deps.mcp?.heldMs ?? HELD_MS;
  const patience = AbortSignal.any([signal, incoming.gone, AbortSignal.timeout(heldMs)]);
  const beats = setInterval(() => beat(call, waitingFor), deps.mcp?.beatMs ?? BEAT_MS);
  const { wakes } = deps.databases;
  try {
    if (await lookUntil(wakes, workspaceId, () => isOver(deps, workspaceId, waitingFor), patience)) return;
  } finally {
    clearInterval(beats);
  }
  signal.throwIfAborted();
  if (incoming.gone.aborted) throw new Fault('cancelled', 'The client left before the call was decided.');
  throw undecided(waitingFor, heldMs);
}

function undecided(waitingFor: string, heldMs: number): Fault {
  const minutes = Math.round(heldMs / 60_000);
  return new Fault(
    'timeout',
    `${waitingFor} was not over within ${minutes} minutes, so the call has not run. It stays open: make exactly the same call again to wait on, or to go on once it is.`,
    { waitingFor },
  );
}

function beat({ deps, incoming }: RunCall, waitingFor: string): void {
  incoming
    .beat(`waits for ${waitingFor}`)
    .catch((error: unknown) =>
      deps.log.debug({ err: error, waitingFor }, 'a client was not told to wait on'),
    );
}

async function isOver(deps: RunsDeps, workspaceId: string, waitingFor: string): Promise<boolean> {
  if (!isRunId(waitingFor)) return (await deps.spaces.approval(workspaceId, waitingFor)).status !== 'pending';
  const database = await deps.databases.open(workspaceId);
  return (await findRow(database, waitingFor)).phase === 'ended';
}
