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
import type { CommandReader, CommandReading } from './command-reader.ts';

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

/** @param worktree absolute path of the folder that the command may write in */
export function explainCommand(
  reader: CommandReader,
  { line, worktree, ...ground }: PolicyGround & { line: string; worktree: string },
): Explanation & { command: string } {
  const { classes, findings, understood } = reader.read(line, { worktree });
  return { command: line, ...decisionOf(runCommand, classes, ground), findings, understood };
}

/** A call of a tool whose effects are known without reading a command. */
export function explainEffects(
  tool: Tool,
  effects: readonly EffectClass[],
  ground: PolicyGround,
): Explanation {
  return { command: null, ...decisionOf(tool, effects, ground), findings: [], understood: true };
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
