import type { Command } from 'commander';
import type { Client } from './client/client.ts';
import { type Cli, type CommandContext, type Outcome, onAction } from './command.ts';
import { connect } from './connect.ts';

export interface ServerOptions {
  json?: boolean;
  url?: string;
}

export interface RemoteOptions extends ServerOptions {
  workspace?: string;
}

export interface RemoteCall<Options> {
  client: Client;
  options: Options;
  args: string[];
  context: CommandContext;
}

/** A command that asks a running server: --url, --workspace and --json, and a client. */
export function onRemoteAction<Options extends RemoteOptions>(
  cli: Cli,
  command: Command,
  work: (call: RemoteCall<Options>) => Promise<Outcome>,
  workspace?: string,
): Command {
  addRemoteOptions(command, workspace);
  return withClient(cli, command, work);
}

/** One that is about no workspace: --url and --json, and a client. */
export function onServerAction<Options extends ServerOptions>(
  cli: Cli,
  command: Command,
  work: (call: RemoteCall<Options>) => Promise<Outcome>,
): Command {
  return withClient(cli, addUrlOption(command), work);
}

function withClient<Options extends ServerOptions>(
  cli: Cli,
  command: Command,
  work: (call: RemoteCall<Options>) => Promise<Outcome>,
): Command {
  return onAction<Options>(cli, command, async (context, options, args) => {
    const client = await connect(context.env, { url: options.url });
    return work({ client, options, args, context });
  });
}

/** Help of --workspace where a command is about one workspace and nothing else it was given says which. */
export const ONE_WORKSPACE = 'name or id of the workspace (default: the only one)';

export function addRemoteOptions(
  command: Command,
  workspace = 'name or id of the workspace (default: all of them)',
): Command {
  return addUrlOption(command).option('--workspace <name>', workspace);
}

function addUrlOption(command: Command): Command {
  return command.option('--url <url>', 'the server (default: CONTROL_CENTER_URL, or this machine)');
}
