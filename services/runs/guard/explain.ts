import {
  type Autonomy,
  capabilityProfile,
  decideCall,
  type EffectClass,
  type GuardrailRule,
  type Mode,
  type PolicyDecision,
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
}

/** @param worktree absolute path of the folder that the command may write in; null: only relative paths are inside */
export function explainCommand(
  reader: CommandReader,
  { line, worktree, ...ground }: PolicyGround & { line: string; worktree: string | null },
): Explanation & { command: string } {
  const { classes, findings, understood } = reader.read(line, {
    worktree: worktree === null ? [] : [worktree],
  });
  return { command: line, ...decisionOf(runCommand, classes, ground), findings, understood };
}

/** A call of a tool that runs no command: it counts as having every effect that the tool declares. */
export function explainTool(tool: Tool, ground: PolicyGround): Explanation {
  return { command: null, ...decisionOf(tool, tool.effects, ground), findings: [], understood: true };
}

function decisionOf(
  tool: Tool,
  effects: readonly EffectClass[],
  { mode, autonomy, rules }: PolicyGround,
): Omit<PolicyDecision, 'asked'> {
  const profiles = [capabilityProfile(mode)];
  const { asked, ...decision } = decideCall({ profiles, tool, tier: tool.tier, effects, rules, autonomy });
  return decision;
}
