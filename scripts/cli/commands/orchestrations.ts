import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { chosenWorkspaces } from '../locate.ts';
import { plainLine } from '../plain-text.ts';
import { onRemoteAction } from '../remote-action.ts';
import { money } from '../render/amounts.ts';
import { spentText } from '../render/step-table.ts';
import { table } from '../render/table.ts';

export function addOrchestrations(program: Command, cli: Cli): void {
  const command = program
    .command('orchestrations')
    .description('list orchestrations and plans, newest first');
  onRemoteAction(cli, command, async ({ client, options }) => {
    const items = [];
    for (const workspace of await chosenWorkspaces(client, options.workspace)) {
      items.push(...(await client.orchestrations(workspace.id)));
    }
    items.sort((a, b) => b.createdAt - a.createdAt);
    const rows = items.map((one) => [
      one.id,
      one.kind,
      one.deferred.length > 0 ? `${one.status}, ${one.deferred.length} deferred` : one.status,
      String(one.revision),
      spentText(one.spentMicros, one.costUnknown),
      money(one.budgetMicros),
      plainLine(one.goal, 60),
    ]);
    const columns = ['ID', 'KIND', 'STATUS', 'REVISION', 'SPENT', 'BUDGET', 'GOAL'].map((title) => ({
      title,
    }));
    return { value: { items }, text: table(columns, rows, 'No orchestrations yet.') };
  });
}
