import * as z from 'zod';
import type { ApprovalTier, EffectClass } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import { textFaults } from '../../kit/text-faults.ts';
import { pathText } from '../../kit/validate.ts';
import type { Runner, WorktreeRef } from '../../runner/runner.ts';
import type { CommandReader } from '../guard/shell/command-reader.ts';
import type { ToolOutcome } from '../harness/tool-port.ts';
import type { PlanOrigin, ProposeOrchestration, SubmitPlan } from '../peers/orchestration-port.ts';
import type { ReviewsPort } from '../peers/reviews-port.ts';
import type { Delegator, SpacesPort } from '../peers/spaces-port.ts';
import type { Run } from '../runs/schema.ts';
import type { FetchPage } from './fetch/fetch-page.ts';
import type { Media } from './keep-media.ts';
import type { SeenFiles } from './seen-files.ts';

interface SubagentTask {
  agentId: string;
  prompt: string;
  /** JSON Schema of its result. */
  outputSchema: Record<string, unknown> | null;
}

/** What a tool's call can reach. */
export interface ToolContext {
  workspaceId: string;
  runId: string;
  /** The run at the root of the tree of sub-agents; the run itself when it has no parent. */
  rootRunId: string;
  callId: string;
  /** `<runId>/<callId>`: the owner of an effect makes it once for it. */
  key: string;
  agent: { id: string; name: string };
  actor: Actor;
  /** The agents of the runs above this one, where it is a sub-agent's. */
  onBehalfOf: Actor[];
  spaceId: string | null;
  conversationId: string | null;
  /** The person on whose request the run works. */
  requestedBy: string | null;
  /** The named repository's worktree, the first one when not named. @throws Fault invalid_request */
  worktree(repository: string | undefined): WorktreeRef;
  /** Where that worktree is on the runner's host, absolute. @throws Fault invalid_request */
  worktreePath(repository: string | undefined): string;
  /** @throws Fault invalid_request in a run without a conversation */
  origin(): PlanOrigin;
  /** The sub-agent that this call has started already. */
  startedSubagent(): Promise<Run | null>;
  /** @throws Fault tree_limit, wrong_status */
  startSubagent(task: SubagentTask): Promise<Run>;
  /** Where the run stands in the chain through which its work came; for what it delegates. */
  delegator(): Promise<Delegator>;
  /** Commands see the worktree read-only: the mode's posture, once more below the tools. */
  readOnly: boolean;
  /** Which content of the worktree's files this run knows. */
  seen: SeenFiles;
  /** Folders of this run and of those below it, its own first. */
  runFolders(): Promise<string[]>;
  fetchPage: FetchPage;
  runner: Runner;
  spaces: SpacesPort;
  reviews: ReviewsPort;
  proposeOrchestration: ProposeOrchestration;
  submitPlan: SubmitPlan;
  signal: AbortSignal;
}

/** What is left of an output that was cut where it was made: `read` gives its pieces in order, as they are. */
export interface WholeOutput {
  read(offset: number): Promise<Uint8Array>;
  /** Called when it is kept elsewhere. */
  discard(): Promise<void>;
}

/**
 * Plain text is a success. `isBounded` says that the text was cut to size where it was made; `whole` is then all of it,
 * where there is more to read. `media` are shown after the text.
 */
export type ToolReply =
  | string
  | Exclude<ToolOutcome, { kind: 'result' }>
  | {
      kind: 'result';
      content: string;
      isError: boolean;
      isBounded?: boolean;
      whole?: WholeOutput | undefined;
      media?: readonly Media[];
    };

/** What tells the effects of one call. */
interface EffectScope extends Pick<ToolContext, 'worktreePath'> {
  commandReader(): Promise<CommandReader>;
}

interface Declaration<Schema extends z.ZodType> {
  name: string;
  description: string;
  input: Schema;
  /** What the model is shown in place of `input`, when the owner of the effect judges the rest of it. */
  shownInput?: z.ZodType;
  tier: ApprovalTier;
  /** Every effect that a call can have. */
  effects: readonly EffectClass[];
  /** Those of them that one call has, where its input tells; else it counts as having every one. */
  effectsOf?(input: z.output<Schema>, scope: EffectScope): Promise<readonly EffectClass[]>;
  /** The owner makes the effect once per key, so that a call cut off by a crash may run again. */
  keyed: boolean;
  /** What the run must have for the tool to be of use. */
  needs: 'worktree' | 'conversation' | 'review' | null;
  run(context: ToolContext, input: z.output<Schema>): Promise<ToolReply>;
}

export type Tool = Omit<Declaration<z.ZodType>, 'input' | 'shownInput' | 'effectsOf' | 'run'> & {
  inputSchema: Record<string, unknown>;
  /** What is wrong with an input, field by field, or null. */
  faultOf(input: unknown): string | null;
  /** The effect classes of a call with this input. @throws Fault what the scope throws; ZodError for an input with a fault */
  effectsOf(input: unknown, scope: EffectScope): Promise<readonly EffectClass[]>;
  /** Checks the input; what is wrong with it is told field by field, and nothing is done. */
  call(context: ToolContext, input: unknown): Promise<ToolReply>;
};

/** Everything else about a tool (schema, surface, guard, prompt) is derived from this one declaration. */
export function defineTool<Schema extends z.ZodType>(declaration: Declaration<Schema>): Tool {
  const { input: schema, shownInput, effectsOf, run, ...facts } = declaration;
  const read = (input: unknown): { value: z.output<Schema> } | { fault: string } => {
    const texts = textFaults(input);
    if (texts.length > 0) return { fault: inputFaults(facts.name, texts) };
    const parsed = schema.safeParse(input);
    return parsed.success ? { value: parsed.data } : { fault: inputFaults(facts.name, parsed.error.issues) };
  };
  return {
    ...facts,
    inputSchema: jsonSchemaOf(shownInput ?? schema),
    faultOf: (input) => {
      const known = read(input);
      return 'fault' in known ? known.fault : null;
    },
    effectsOf: async (input, scope) => effectsOf?.(schema.parse(input), scope) ?? facts.effects,
    call: async (context, input) => {
      const known = read(input);
      return 'fault' in known ? failed(known.fault) : run(context, known.value);
    },
  };
}

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema, ...body } = z.toJSONSchema(schema, { io: 'input' });
  return body;
}

function inputFaults(name: string, issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const lines = issues.map((issue) => `- ${pathText(issue.path) || '(whole input)'}: ${issue.message}`);
  return `The input of ${name} is not valid, so it did not run. Mend these fields and call it again:\n${lines.join('\n')}`;
}

/** A failure that the model can act on. */
export function failed(content: string): ToolReply {
  return { kind: 'result', content, isError: true };
}

/** Text that fits as it is: the tool has cut it, and said so. */
export function bounded(content: string): ToolReply {
  return { kind: 'result', content, isError: false, isBounded: true };
}

export const Path = z
  .string()
  .min(1)
  .max(4_096)
  .describe('Path inside the repository, relative to its top folder');

export const Repository = z
  .string()
  .max(128)
  .optional()
  .describe('Name of the linked repository; the first one when left out');
