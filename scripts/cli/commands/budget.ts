import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { microsOf } from '../dollars.ts';
import { chosenWorkspaces, locate } from '../locate.ts';
import { policyPlace } from '../policy-place.ts';
import { ONE_WORKSPACE, onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { budgetsTable, budgetText, type ListedBudget } from '../render/budget-text.ts';

const TARGET = 'workspace, run (each of them), agent:<name or id>, or run:<id>';

export function addBudget(program: Command, cli: Cli): void {
  const budget = program
    .command('budget')
    .description('what may be spent: list the caps and what is spent of them, set one or take it away');
  const list = budget.command('list', { isDefault: true }).description('list every cap and what is spent');
  onRemoteAction(cli, list, listBudgets);
  const set = budget
    .command('set')
    .description('set a cap in dollars; runs that it stopped and that have room now go on')
    .argument('<target>', TARGET)
    .argument('<dollars>', 'as 5 or 0.50');
  const setCap = async (call: Call) => {
    const [target = '', dollars = ''] = call.args;
    return change(call, target, microsOf(dollars));
  };
  onRemoteAction(cli, set, setCap, ONE_WORKSPACE);
  const clear = budget.command('clear').description('take a cap away').argument('<target>', TARGET);
  onRemoteAction(cli, clear, (call) => change(call, call.args[0] ?? '', null), ONE_WORKSPACE);
}

type Call = RemoteCall<RemoteOptions>;

async function listBudgets({ client, options }: Call) {
  const items: ListedBudget[] = [];
  for (const { id, name } of await chosenWorkspaces(client, options.workspace)) {
    const [budgets, agents] = await Promise.all([client.budgets(id), client.agents(id)]);
    const names = new Map(agents.map((agent) => [`agent:${agent.id}`, agent.name]));
    items.push(
      ...budgets.map((budget) => ({
        ...budget,
        ...{ workspaceId: id, workspace: name, agentName: names.get(budget.target) ?? null },
      })),
    );
  }
  return { value: { items }, text: budgetsTable(items) };
}

async function change({ client, options }: Call, given: string, capMicros: number | null) {
  const { workspaceId, target } = await placeOf(client, options.workspace, given);
  const value = await client.setBudget(workspaceId, target, capMicros, `budget/${crypto.randomUUID()}`);
  const { spentMicros, capMicros: holding } = value;
  const isCommon = capMicros === null && holding !== null && spentMicros !== null;
  const of = isCommon ? '\nThat is the cap of each run that has none of its own.' : '';
  return { value, text: budgetText(value, given) + of };
}

/** Where the target is, and its id there. @throws Fault not_found; CommandError usage */
async function placeOf(client: Call['client'], workspace: string | undefined, given: string) {
  const [kind, name = ''] = given.split(/:(.*)/s);
  const chosen = workspace === undefined ? {} : { workspace };
  if (given === 'workspace' || given === 'run')
    return { target: given, workspaceId: (await policyPlace(client, chosen)).workspaceId };
  if (kind === 'agent' && name !== '') {
    const { workspaceId, agentId } = await policyPlace(client, { ...chosen, agent: name });
    return { workspaceId, target: `agent:${agentId}` };
  }
  if (kind === 'run' && name !== '') {
    const { workspaceId } = await locate(client, workspace, 'run', name, (ws) => client.run(ws, name));
    return { workspaceId, target: given };
  }
  throw usageError(`There is no budget ${JSON.stringify(given)}: give ${TARGET}.`);
}
