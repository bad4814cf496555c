import { Argument, type Command } from 'commander';
import { type Cli, onAction } from '../command.ts';
import { completionScript, SHELLS, type Shell } from '../render/completion-script.ts';

export function addCompletion(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .description('print what completes commands and options: eval "$(cctl completion bash)"')
    .addArgument(new Argument('<shell>').choices(SHELLS));
  onAction(cli, command, async (_, __, [shell = '']) => {
    const script = completionScript(program, shell as Shell);
    return { value: { shell, script }, text: script };
  });
}
