import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { memberQuery } from '../member-id.ts';
import { plainLine } from '../plain-text.ts';
import { onServerAction, type RemoteCall, type ServerOptions } from '../remote-action.ts';
import { tokensTable } from '../render/access-table.ts';

interface ListOptions extends ServerOptions {
  member?: string;
}

interface RevokeOptions extends ListOptions {
  yes?: boolean;
}

const MEMBER = 'name or id of another member, for owners (default: whose token it is)';

/** `cctl tokens list|add|revoke`. */
export function addTokens(program: Command, cli: Cli): void {
  const tokens = program
    .command('tokens')
    .description('what programs send in the name of somebody: list tokens, make or revoke one');
  const list = tokens
    .command('list', { isDefault: true })
    .description('list them, with when they were used')
    .option('--member <name>', MEMBER);
  onServerAction<ListOptions>(cli, list, async ({ client, options }) => {
    const items = await client.tokens(await memberQuery(client, options.member));
    return { value: { items }, text: tokensTable(items) };
  });
  const add = tokens
    .command('add')
    .description('make a token of your own, and print it this once')
    .argument('<name>', 'where it is used, to know it by');
  onServerAction(cli, add, addToken);
  const revoke = tokens
    .command('revoke')
    .description('end a token at once; owners revoke tokens of anybody')
    .argument('<id>', 'the token')
    .option('--member <name>', MEMBER)
    .option('--yes', 'also the token of the first start, which is in the file owner-token');
  onServerAction<RevokeOptions>(cli, revoke, revokeToken);
}

async function addToken({ client, context, args: [name = ''] }: RemoteCall<ServerOptions>) {
  if (name.trim() === '') throw usageError('The name is empty: say where the token is used.');
  const value = await client.addToken(name, `token/${crypto.randomUUID()}`);
  context.terminal.note(
    `It is shown this once, and whoever has it acts in your name. Revoke it with \`cctl tokens revoke ${value.id}\`.`,
  );
  return { value, text: value.token };
}

async function revokeToken({ client, options, args: [id = ''] }: RemoteCall<RevokeOptions>) {
  if (!options.yes) {
    const known = await client.tokens(await memberQuery(client, options.member));
    const isOfFile = known.some((token) => token.id === id && token.isOwnerFile);
    if (isOfFile) throw usageError(OF_FILE);
  }
  await client.revokeToken(id);
  return { value: { id }, text: `The token ${plainLine(id, 80)} opens nothing any more.` };
}

const OF_FILE =
  'This is the token of the first start: what reads the file owner-token, as cctl on this machine does, gets in with it. Make another first with `cctl tokens add` and set CONTROL_CENTER_TOKEN to it, or put it into that file. Then say --yes. (A server that starts without the file makes a new one.)';
