import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { chosenWorkspaces } from '../locate.ts';
import { onRemoteAction } from '../remote-action.ts';
import { type InboxItem, inboxTable } from '../render/approval.ts';

export function addInbox(program: Command, cli: Cli): void {
  const command = program.command('inbox').description('list what waits for a person');
  onRemoteAction(cli, command, async ({ client, options }) => {
    const items: InboxItem[] = [];
    for (const workspace of await chosenWorkspaces(client, options.workspace)) {
      const pending = await client.approvals(workspace.id, { status: 'pending' });
      items.push(
        ...pending.map((approval) => ({ workspaceId: workspace.id, workspace: workspace.name, approval })),
      );
    }
    items.sort((a, b) => a.approval.createdAt - b.approval.createdAt);
    return { value: { items }, text: inboxTable(items, Date.now()) };
  });
}
