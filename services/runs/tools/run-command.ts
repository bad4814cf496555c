import * as z from 'zod';
import type { CommandResult } from '../../runner/runner.ts';
import { SHELL_EFFECTS } from '../guard/shell/effects.ts';
import { defineTool, Repository } from './tool.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a shell command (bash) in the top folder of the repository and gives its exit code and output. It has no terminal and no input; everything it starts ends with it.',
  input: z.strictObject({
    command: z.string().trim().min(1).max(100_000),
    timeoutSeconds: z.int().min(1).max(MAX_SECONDS).optional().describe(`${DEFAULT_SECONDS} unless told`),
    repository: Repository,
  }),
  tier: 'execute',
  effects: SHELL_EFFECTS,
  effectsOf: async ({ command, repository }, { commandReader, worktreePath }) => {
    const place = { worktree: [worktreePath(repository)] };
    return (await commandReader()).read(command, place).classes;
  },
  keyed: false,
  needs: 'worktree',
  run: async (
    { runner, worktree, readOnly, signal },
    { command, timeoutSeconds = DEFAULT_SECONDS, repository },
  ) => {
    const timeoutMs = timeoutSeconds * 1_000;
    const result = await runner.runCommand(worktree(repository), {
      ...{ command, timeoutMs, readOnly, signal },
    });
    const content = `${ending(result, timeoutSeconds)}\n${result.output || '(no output)'}${rest(result)}`;
    return { kind: 'result', content, isError: result.exitCode !== 0, isBounded: true };
  },
});

function ending(result: CommandResult, timeoutSeconds: number): string {
  if (result.cancelled) return 'The command was cancelled.';
  if (result.timedOut) return `The command was ended after ${timeoutSeconds} s.`;
  return result.exitCode === null
    ? `The command was killed by ${result.signal}.`
    : `Exit code ${result.exitCode}.`;
}

function rest({ truncated, fullOutputPath }: CommandResult): string {
  return truncated ? `\n(the output was cut; the whole is kept in ${fullOutputPath})` : '';
}
