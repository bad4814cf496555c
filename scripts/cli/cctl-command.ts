import { Command, type ErrorOptions } from 'commander';

/** A command whose errors of usage name the help that mends them, on the same line. */
export class CctlCommand extends Command {
  override createCommand(name?: string): Command {
    return new CctlCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const meant = options?.code === 'commander.excessArguments' ? groupNamed(this) : null;
    const said = meant === null ? message : `error: unknown command '${this.args[0]}'`;
    const plain = said
      .replace(/\.?\s*$/, '')
      .replace(/command-argument value '(.*)' is invalid for argument '(.*)'/s, "'$1' is no <$2>");
    return super.error(`${plain}. See \`${pathOf(meant ?? this)} --help\`.`, options);
  }
}

/** The group that fell back to the command: what is too much for the command was meant as one of the group. */
function groupNamed(command: Command): Command | null {
  const { parent } = command;
  if (parent === null || parent.parent === null) return null;
  return parent.args[0] === command.name() ? null : parent;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
