import {
  type Autonomy,
  capabilityProfile,
  decideCall,
  decideEffects,
  type GuardrailRule,
  type Mode,
  type PolicyDecision,
  toolSurface,
} from '../../../core-wasm/core.ts';
import { runCommand } from '../tools/run-command.ts';
import type { Tool } from '../tools/tool.ts';
import type { CommandReader, CommandReading } from './shell/command-reader.ts';

/** What holds where the call would be made. */
export interface PolicyGround {
  mode: Mode;
  autonomy: Autonomy;
  rules: readonly GuardrailRule[];
}

/** What would happen to a call, by which rule, and what in it has which effect. Nothing is asked and nothing runs. */
export interface Explanation extends Omit<PolicyDecision, 'asked'>, Omit<CommandReading, 'classes'> {
  /** Null for a call of another tool than a command. */
  command: string | null;
  /** Whether the built-in harness offers the tool in this mode at all; where it does not, the call cannot be made. */
  offered: boolean;
}

/**
 * A line is judged by what it does, since an adapter with a shell of its own asks about it in every mode.
 * @param worktree absolute path of the folder that the command may write in; null: only relative paths are inside
 */
export function explainCommand(
  reader: CommandReader,
  { line, worktree, ...ground }: PolicyGround & { line: string; worktree: string | null },
): Explanation & { command: string } {
  const { classes, findings, understood } = reader.read(line, {
    worktree: worktree === null ? [] : [worktree],
  });
  const question = { ...groundOf(ground), tier: runCommand.tier, effects: classes };
  const offered = isOffered(runCommand, ground);
  const { asked, reason, ...decision } = decideEffects(question);
  const where = offered ? '' : ` The built-in harness offers no ${runCommand.name} in ${ground.mode} mode.`;
  return { command: line, ...decision, reason: `${reason}${where}`, findings, understood, offered };
}

/** A call of a tool that runs no command: it counts as having every effect that the tool declares. */
export function explainTool(tool: Tool, ground: PolicyGround): Explanation {
  const question = { ...groundOf(ground), tool, tier: tool.tier, effects: tool.effects };
  const { asked, ...decision } = decideCall(question);
  return { command: null, ...decision, findings: [], understood: true, offered: isOffered(tool, ground) };
}

function groundOf({ mode, autonomy, rules }: PolicyGround) {
  return { profiles: [capabilityProfile(mode)], autonomy, rules };
}

function isOffered(tool: Tool, { mode }: PolicyGround): boolean {
  return toolSurface(capabilityProfile(mode), [tool]).length > 0;
}
