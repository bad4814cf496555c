import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { memberQuery } from '../member-id.ts';
import { onServerAction, type RemoteCall, type ServerOptions } from '../remote-action.ts';
import { sessionsTable } from '../render/access-table.ts';
import { plural } from '../render/amounts.ts';

interface Options extends ServerOptions {
  member?: string;
}

interface EndOptions extends Options {
  all?: boolean;
}

const MEMBER = 'name or id of another member, for owners (default: whose token it is)';

/** `cctl sessions list|end`. */
export function addSessions(program: Command, cli: Cli): void {
  const sessions = program
    .command('sessions')
    .description('the browsers in which somebody is signed in: list them or end one');
  const list = sessions
    .command('list', { isDefault: true })
    .description('list them, the last seen first')
    .option('--member <name>', MEMBER);
  onServerAction<Options>(cli, list, async ({ client, options }) => {
    const items = await client.sessions(await memberQuery(client, options.member));
    return { value: { items }, text: sessionsTable(items) };
  });
  const end = sessions
    .command('end')
    .description('sign a browser out; owners end sessions of anybody')
    .argument('[id]', 'the session')
    .option('--all', 'every one of them')
    .option('--member <name>', `with --all: ${MEMBER}`);
  onServerAction<EndOptions>(cli, end, endSessions);
}

async function endSessions({ client, options, args: [id] }: RemoteCall<EndOptions>) {
  if ((id === undefined) === (options.all === undefined))
    throw usageError('Give either the id of a session, which `cctl sessions` lists, or --all.');
  if (id === undefined) {
    const value = await client.endSessions(await memberQuery(client, options.member));
    return { value, text: `Signed out of ${plural(value.ended, 'browser')}.` };
  }
  if (options.member !== undefined) throw usageError('An id says whose session it is: leave --member out.');
  await client.endSession(id);
  return { value: { id }, text: `The browser of session ${id} is signed out.` };
}
