import type { Command } from 'commander';
import type { Check } from '../check.ts';
import { type Cli, onAction } from '../command.ts';
import { runChecks } from '../doctor-checks.ts';
import { EXIT } from '../exit-status.ts';
import type { Paint } from '../paint.ts';

export function addDoctor(program: Command, cli: Cli): void {
  const command = program.command('doctor').description('see whether everything that is needed is here');
  onAction(cli, command, async ({ env, terminal }) => {
    const checks = await runChecks(env);
    const ok = checks.every((check) => check.ok || !check.required);
    const width = Math.max(...checks.map(({ name }) => name.length));
    const text = checks.map((check) => checkText(check, width, terminal.paint)).join('\n');
    return { value: { ok, checks }, text, exitStatus: ok ? EXIT.ok : EXIT.failed };
  });
}

function checkText({ name, ok, required, found, mend }: Check, width: number, paint: Paint): string {
  const verdict = ok ? paint.green('ok     ') : required ? paint.red('missing') : paint.yellow('without');
  const line = `${verdict}  ${name.padEnd(width)}  ${found}`;
  return mend === null ? line : `${line}\n         ${' '.repeat(width)}  ${mend}`;
}
