import { type Command, Option } from 'commander';
import { AUTONOMY, type Autonomy, MODES, type Mode } from '../../../core-wasm/core.ts';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { chosenWorkspaces, locate } from '../locate.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { spacesTable, spaceText } from '../render/space-text.ts';

/** Review mode comes with a pull request that is opened for review. */
const CHOSEN_MODES = MODES.filter((mode) => mode !== 'review');

type Call = RemoteCall<RemoteOptions>;

interface SetOptions extends RemoteOptions {
  mode?: Mode;
  autonomy?: Autonomy;
  whenNobody?: 'refuse' | 'wait';
}

export function addSpace(program: Command, cli: Cli): void {
  const space = program.command('space').description('list spaces, look into one, change what holds in it');
  onRemoteAction(cli, space.command('list', { isDefault: true }).description('list spaces'), listSpaces);
  const show = space.command('show').description('show what holds in a space').argument('<id>', 'the space');
  onRemoteAction(cli, show, showSpace);
  const set = space
    .command('set')
    .description('change mode, autonomy, or what happens when nobody is there to ask')
    .argument('<id>', 'the space')
    .addOption(new Option('--mode <mode>', 'what its agents are for').choices(CHOSEN_MODES))
    .addOption(new Option('--autonomy <autonomy>', 'how far its agents go by themselves').choices(AUTONOMY))
    .addOption(
      new Option('--when-nobody <what>', 'for an action that has to be asked').choices(['refuse', 'wait']),
    );
  onRemoteAction<SetOptions>(cli, set, setSpace);
}

async function listSpaces({ client, options }: Call) {
  const items = [];
  for (const { id, name } of await chosenWorkspaces(client, options.workspace)) {
    const spaces = await client.spaces(id);
    items.push(...spaces.map((one) => ({ workspaceId: id, workspace: name, ...one })));
  }
  items.sort((a, b) => b.createdAt - a.createdAt);
  return { value: { items }, text: spacesTable(items) };
}

async function showSpace({ client, options, args: [id = ''] }: Call) {
  const { workspaceId, found } = await locateSpace(client, options.workspace, id);
  const { rules } = await client.guardrails(workspaceId, { spaceId: id });
  return { value: { ...found, workspaceId, rules }, text: spaceText(found, rules) };
}

async function setSpace({ client, options, args: [id = ''] }: RemoteCall<SetOptions>) {
  const { mode, autonomy, whenNobody } = options;
  const change = {
    ...(mode === undefined ? {} : { mode }),
    ...(autonomy === undefined ? {} : { autonomy }),
    ...(whenNobody === undefined ? {} : { whenNobody }),
  };
  if (Object.keys(change).length === 0)
    throw usageError('Say what to change with --mode, --autonomy or --when-nobody.');
  const { workspaceId } = await locateSpace(client, options.workspace, id);
  const value = await client.changeSpace(workspaceId, id, change, `space/${crypto.randomUUID()}`);
  const facts = `mode ${value.mode}, autonomy ${value.autonomy}, when nobody is there: ${value.whenNobody}`;
  return { value, text: `${id} now has ${facts}.` };
}

function locateSpace(client: Call['client'], workspace: string | undefined, id: string) {
  return locate(client, workspace, 'space', id, (ws) => client.space(ws, id));
}
