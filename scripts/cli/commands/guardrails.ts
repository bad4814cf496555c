import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { addExplain } from './guardrails-explain.ts';
import { addRules } from './guardrails-rules.ts';

export function addGuardrails(program: Command, cli: Cli): void {
  const guardrails = program
    .command('guardrails')
    .description('what agents may do: what would happen to a call, and the rules');
  addExplain(guardrails, cli);
  addRules(guardrails, cli);
}
