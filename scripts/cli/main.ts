import { CommanderError } from 'commander';
import { printError } from './command.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import { createProgram } from './program.ts';

/** Runs one command line to its end and gives the exit status. */
export async function main(args: string[]): Promise<ExitStatus> {
  let exitStatus: ExitStatus = EXIT.ok;
  const finish = (status: ExitStatus) => {
    exitStatus = status;
  };
  try {
    await createProgram({ env: process.env, cwd: process.cwd(), finish }).parseAsync(args, { from: 'user' });
    return exitStatus;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    // No command was named; the help that says what there is was printed on stderr.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    return printError(error, args.includes('--json'));
  }
}
