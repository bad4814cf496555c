import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { memberQuery } from '../member-id.ts';
import { plainLine } from '../plain-text.ts';
import { onServerAction, type ServerOptions } from '../remote-action.ts';
import { newSignInLink } from '../sign-in-link.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options extends ServerOptions {
  member?: string;
  minutes?: string;
}

const MINUTE_MS = 60_000;

export function addSignIn(program: Command, cli: Cli): void {
  const command = program
    .command('sign-in')
    .description('print a link that signs a browser in, once')
    .option('--member <name>', 'name or id of another member, for owners (default: whose token it is)')
    .option('--minutes <n>', 'how long the link can be used, 1440 at most (default: 15)');
  onServerAction<Options>(cli, command, async ({ client, options, context }) => {
    const minutes = options.minutes && wholeNumber(options.minutes, '--minutes', 1, 1_440);
    const value = await newSignInLink(client, {
      ...(await memberQuery(client, options.member)),
      ...(minutes ? { validForMs: minutes * MINUTE_MS } : {}),
    });
    const member = (await client.members()).find(({ id }) => id === value.memberId);
    const until = new Date(value.expiresAt).toTimeString().slice(0, 5);
    const who = `${plainLine(member?.name ?? value.memberId, 60)} (${member?.role ?? 'member'})`;
    context.terminal.note(
      `Open it in a browser until ${until}. It works once, and whoever has it is ${who}.`,
    );
    return { value, text: value.url };
  });
}
