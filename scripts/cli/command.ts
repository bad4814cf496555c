import type { Command } from 'commander';
import { reportOf } from './command-error.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import { plainJson, plainText } from './plain-text.ts';
import { createTerminal, type Environment, type Terminal, writeOut } from './terminal.ts';

/** What a command hands back: a document for programs, the same as text for people. */
export interface Outcome {
  /** Undefined when the command has printed its document itself. */
  value: unknown;
  text: string;
  exitStatus?: ExitStatus;
}

export interface CommandContext {
  terminal: Terminal;
  env: Environment;
  cwd: string;
}

/** Reports how a command ended; the entry point turns it into the process's exit status. */
type Finish = (exitStatus: ExitStatus) => void;

export interface Cli {
  env: Environment;
  cwd: string;
  finish: Finish;
}

/** Adds --json and makes the command run `work`, print its outcome and report its exit status. */
export function onAction<Options extends { json?: boolean }>(
  cli: Cli,
  command: Command,
  work: (context: CommandContext, options: Options, args: string[]) => Promise<Outcome>,
): Command {
  return command.option('--json', 'one JSON document on stdout').action(async () => {
    const options = command.opts<Options>();
    const terminal = createTerminal(options.json ?? false, cli.env);
    const context = { terminal, env: cli.env, cwd: cli.cwd };
    const outcome = await work(context, options, command.processedArgs.flat());
    await printOutcome(terminal, outcome);
    cli.finish(outcome.exitStatus ?? EXIT.ok);
  });
}

async function printOutcome(terminal: Terminal, outcome: Outcome): Promise<void> {
  terminal.live.clear();
  if (terminal.json) {
    if (outcome.value !== undefined) await writeOut(process.stdout, `${plainJson(outcome.value, 2)}\n`);
  } else if (outcome.text !== '') await writeOut(process.stdout, `${outcome.text}\n`);
}

/** One line for people, a problem document with --json; both on stderr. */
export async function printError(error: unknown, json: boolean): Promise<ExitStatus> {
  const { exitStatus, problem } = reportOf(error);
  const line = `error: ${plainText(problem.detail).replace(/\s*\n\s*/g, ' ')}`;
  await writeOut(process.stderr, `${json ? plainJson(problem) : line}\n`);
  return exitStatus;
}
