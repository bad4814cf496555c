import { Command, type ErrorOptions } from 'commander';

/** A command whose errors of usage name the help that mends them, on the same line. */
export class CctlCommand extends Command {
  override createCommand(name?: string): Command {
    return new CctlCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(
      `${message.replace(/\.?\s*$/, '')}. See \`${helpFor(this, options?.code)}\`.`,
      options,
    );
  }
}

/** What is too much for the command that a group falls back to was most likely meant as a command of the group. */
function helpFor(command: Command, code: string | undefined): string {
  const { parent } = command;
  const isOfGroup = parent?.parent !== null && parent !== null;
  return `${pathOf(code === 'commander.excessArguments' && isOfGroup ? parent : command)} --help`;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
