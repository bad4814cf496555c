import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { chosenWorkspaces, locate } from '../locate.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { plansTable, planText } from '../render/plan-text.ts';

type Call = RemoteCall<RemoteOptions>;

export function addPlans(program: Command, cli: Cli): void {
  const plans = program.command('plans').description('list plans or look into one');
  const list = plans.command('list', { isDefault: true }).description('list plans, newest first');
  onRemoteAction(cli, list, listPlans);
  const show = plans.command('show').description('show a plan and its nodes').argument('<id>', 'the plan');
  onRemoteAction(cli, show, showPlan);
}

async function listPlans({ client, options }: Call) {
  const items = [];
  for (const { id } of await chosenWorkspaces(client, options.workspace))
    items.push(...(await client.plans(id)));
  items.sort((a, b) => b.createdAt - a.createdAt);
  return { value: { items }, text: plansTable(items) };
}

async function showPlan({ client, options, args: [id = ''], context }: Call) {
  const { found } = await locate(client, options.workspace, 'plan', id, (ws) => client.plan(ws, id));
  return { value: found, text: planText(found, context.terminal.paint) };
}
