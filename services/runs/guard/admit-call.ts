import type { CapabilityProfile, EffectClass, PolicyDecision } from '../../../core-wasm/core.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import type { Log } from '../../kit/log.ts';
import type { CallAdmission, CallDecision, ToolCall } from '../harness/tool-port.ts';
import type { ApprovalFacts, GuardrailFacts, NewApproval, WhenNobody } from '../peers/spaces-port.ts';
import { namesOf } from '../prompt/names.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { type ActionArguments, actionArguments, approvalCard, covers, subjectOf } from './action-request.ts';
import { judgeCall } from './judge-call.ts';
import { notAllowed } from './refusals.ts';
import type { CommandReader } from './shell/command-reader.ts';

/** What admission needs to know of a run and its space. */
export interface AdmissionOptions {
  profile: CapabilityProfile;
  /**
   * Asked once before each call that the run's own mode does not pin: what holds for the run's agent, and for each other
   * agent whose sub-agent it is.
   */
  guardrails(): Promise<readonly [GuardrailFacts, ...GuardrailFacts[]]>;
  /** The run waits for a person even where its space would not. */
  waitsForPeople: boolean;
  commandReader(): Promise<CommandReader>;
  /** A keyed hash of a text that must not be told. */
  sign(text: string): Promise<string>;
  secrets: readonly string[];
  log: Log;
}

/**
 * Decides whether a call may run: its input first, so that nobody is asked about a call that cannot run; then modes,
 * autonomy and rules; then, where those say so, a person.
 * @throws Fault of spaces when it is one that may pass; then nothing is decided and nothing has run
 */
export async function admitCall(
  options: AdmissionOptions,
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
): Promise<CallAdmission> {
  const fault = tool.faultOf(call.input);
  if (fault !== null) return { kind: 'refused', decision: null, content: fault };
  const effects = await effectsOf(options, tool, call, context);
  const { decision, whenNobody } = await judgeCall(options.profile, tool, effects, options.guardrails);
  if (decision.decision === 'deny') {
    await takeBack(call, context);
    return { kind: 'refused', decision: resting(decision, null), content: `Refused: ${decision.reason}` };
  }
  if (decision.decision === 'allow') return allowedByRules(decision, call, context);
  const ask = { decision, whenNobody: options.waitsForPeople ? 'wait' : whenNobody } as const;
  return askPeople(options, ask, call, context);
}

/** The decision as it is kept. */
function resting({ asked, ...decision }: PolicyDecision, approvalId: string | null): CallDecision {
  return { ...decision, approvalId };
}

/** A command line that cannot be read counts as everything that its tool can do. */
async function effectsOf(
  { commandReader, log }: AdmissionOptions,
  tool: Tool,
  { input, callId }: ToolCall,
  { worktreePath }: ToolContext,
): Promise<readonly EffectClass[]> {
  try {
    return await tool.effectsOf(input, { commandReader, worktreePath });
  } catch (error) {
    if (error instanceof Fault) throw error;
    log.error({ err: error, tool: tool.name, callId }, 'the effects of a call could not be read');
    return tool.effects;
  }
}

/** Rules that allow now what had to be asked before do not undo what a person has decided since. */
async function allowedByRules(
  decision: PolicyDecision,
  call: ToolCall,
  context: ToolContext,
): Promise<CallAdmission> {
  const decided = await takeBack(call, context);
  return decided === null
    ? { kind: 'run', decision: resting(decision, null) }
    : settled(decided, decision, context);
}

/** Withdraws the request that held the call, if there is one. Null when nobody has decided it. */
async function takeBack(
  { heldBy }: ToolCall,
  { spaces, workspaceId }: ToolContext,
): Promise<ApprovalFacts | null> {
  if (heldBy === undefined) return null;
  try {
    await spaces.supersede(workspaceId, heldBy);
    return null;
  } catch (error) {
    if (hasFaultCode(error, 'already_decided')) return spaces.approval(workspaceId, heldBy);
    throw error;
  }
}

async function settled(
  approval: ApprovalFacts,
  decision: PolicyDecision,
  { spaces, workspaceId }: ToolContext,
): Promise<CallAdmission> {
  const kept = resting(decision, approval.id);
  if (approval.status === 'approved') return { kind: 'run', decision: kept };
  const { decidedBy } = approval;
  const decider = decidedBy === null ? 'a person' : (await namesOf(spaces, workspaceId))(decidedBy);
  return { kind: 'refused', decision: kept, content: notAllowed(approval, decision.reason, decider) };
}

async function askPeople(
  options: AdmissionOptions,
  { decision, whenNobody }: { decision: PolicyDecision; whenNobody: WhenNobody },
  call: ToolCall,
  context: ToolContext,
): Promise<CallAdmission> {
  const args = await actionArguments(call, decision, options.secrets, options.sign);
  const approval = await approvalFor(args, whenNobody, call, context);
  if (call.heldBy !== approval.id) await postCard(options, args, approval, context);
  if (approval.status === 'pending') return { kind: 'suspend', waitingFor: approval.id };
  return settled(approval, decision, context);
}

/**
 * The approval of exactly this call: the one that holds it, unless more has to be asked by now and nobody refused the less;
 * else that of its key, or of one more key if its own stands for another request.
 */
async function approvalFor(
  args: ActionArguments,
  whenNobody: WhenNobody,
  call: ToolCall,
  context: ToolContext,
): Promise<ApprovalFacts> {
  const { spaces, actor, workspaceId, runId, rootRunId, spaceId, conversationId, key } = context;
  if (call.heldBy !== undefined) {
    const held = await spaces.approval(workspaceId, call.heldBy);
    if (covers(held.arguments, args)) return held;
    const decided = await takeBack(call, context);
    if (decided?.status === 'refused') return decided;
  }
  const request: NewApproval = {
    ...{ kind: 'action', requester: actor, subject: subjectOf(args), arguments: args },
    ...{ runId, rootRunId, spaceId, conversationId, whenNobody, key },
  };
  const own = await spaces.requestApproval(actor, workspaceId, request).catch((error: unknown) => {
    if (!hasFaultCode(error, 'conflict')) throw error;
    const other = `${key}/${Bun.hash(JSON.stringify(args)).toString(36)}`;
    return spaces.requestApproval(actor, workspaceId, { ...request, key: other });
  });
  if (covers(own.arguments, args)) return own;
  throw new Fault(
    'conflict',
    `${own.id} is about another call than ${args.tool}, so it allows nothing here.`,
  );
}

/** Without its card a request still stands in the inbox, so that one that cannot be posted stops nothing. */
async function postCard(
  { log }: AdmissionOptions,
  args: ActionArguments,
  { id: approvalId, status }: ApprovalFacts,
  { spaces, actor, workspaceId, conversationId, runId, rootRunId, key }: ToolContext,
): Promise<void> {
  if (conversationId === null || (status !== 'pending' && status !== 'unattended')) return;
  const card = approvalCard(args, { approvalId, runId, rootRunId }, key);
  try {
    await spaces.postMessage(actor, workspaceId, conversationId, card);
  } catch (error) {
    log.warn({ err: error, approvalId }, 'the card of an approval could not be posted');
  }
}
