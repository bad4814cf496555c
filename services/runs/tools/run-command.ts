import * as z from 'zod';
import type { CommandResult, Runner, WorktreeRef } from '../../runner/runner.ts';
import { SHELL_EFFECTS } from '../guard/shell/effects.ts';
import { restOf } from './output.ts';
import { defineTool, Repository, type WholeOutput } from './tool.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;
const PIECE_BYTES = 1024 * 1024;

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
    { runner, worktree, readOnly, signal, callId },
    { command, timeoutSeconds = DEFAULT_SECONDS, repository },
  ) => {
    const timeoutMs = timeoutSeconds * 1_000;
    const ref = worktree(repository);
    const result = await runner.runCommand(ref, { command, timeoutMs, readOnly, signal });
    const whole = wholeOf(runner, ref, result);
    const rest = whole ? `\n(the output was cut; ${restOf(callId)})` : '';
    const content = `${ending(result, timeoutSeconds)}\n${result.output || '(no output)'}${rest}`;
    return { kind: 'result', content, isError: result.exitCode !== 0, isBounded: true, whole };
  },
});

function ending(result: CommandResult, timeoutSeconds: number): string {
  if (result.cancelled) return 'The command was cancelled.';
  if (result.timedOut) return `The command was ended after ${timeoutSeconds} s.`;
  return result.exitCode === null
    ? `The command was killed by ${result.signal}.`
    : `Exit code ${result.exitCode}.`;
}

function wholeOf(runner: Runner, ref: WorktreeRef, { fullOutputPath: path }: CommandResult) {
  if (path === null) return undefined;
  const whole: WholeOutput = {
    read: async (offset) => {
      const { data } = await runner.readOutput(ref, { path, offset, bytes: PIECE_BYTES });
      return Buffer.from(data, 'base64');
    },
    discard: () => runner.removeOutput(ref, { path }),
  };
  return whole;
}
