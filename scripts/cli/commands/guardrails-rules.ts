import { Argument, type Command } from 'commander';
import { EFFECT_CLASSES, type EffectClass, RULE_ACTIONS, type RuleAction } from '../../../core-wasm/core.ts';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { chosenWorkspaces } from '../locate.ts';
import { type PlaceOptions, policyPlace } from '../policy-place.ts';
import { ONE_WORKSPACE, onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { type ListedRule, rulesTable, ruleText } from '../render/rules-table.ts';

type SetOptions = RemoteOptions & PlaceOptions;

export function addRules(guardrails: Command, cli: Cli): void {
  const rules = guardrails
    .command('rules')
    .description('list the rules by effect class, set one or remove one');
  const list = rules.command('list', { isDefault: true }).description('list every rule');
  onRemoteAction(cli, list, listRules);
  const set = rules
    .command('set')
    .description('allow an effect class, have it asked, or deny it')
    .addArgument(new Argument('<effect>', 'the effect class').choices(EFFECT_CLASSES))
    .addArgument(new Argument('<action>').choices(RULE_ACTIONS))
    .option('--space <id>', 'in this space only')
    .option('--agent <name>', 'for this agent only');
  onRemoteAction<SetOptions>(cli, set, setRule, ONE_WORKSPACE);
  const remove = rules.command('remove').description('remove a rule').argument('<id>', 'the rule');
  onRemoteAction(cli, remove, removeRule);
}

async function listRules({ client, options }: RemoteCall<RemoteOptions>) {
  const items = await rulesOf(client, options.workspace);
  return { value: { items }, text: rulesTable(items) };
}

/** The rules of the chosen workspaces, with the names of what they hold for. */
async function rulesOf(client: RemoteCall<RemoteOptions>['client'], workspace: string | undefined) {
  const items: ListedRule[] = [];
  for (const { id, name } of await chosenWorkspaces(client, workspace)) {
    const rules = await client.rules(id);
    const names = rules.length === 0 ? new Map<string, string>() : await namesIn(client, id);
    items.push(
      ...rules.map((rule) => ({
        ...rule,
        workspaceId: id,
        workspace: name,
        scopeName: rule.scopeId === null ? null : (names.get(rule.scopeId) ?? null),
      })),
    );
  }
  return items;
}

async function namesIn(client: RemoteCall<RemoteOptions>['client'], workspaceId: string) {
  const [agents, spaces] = await Promise.all([client.agents(workspaceId), client.spaces(workspaceId)]);
  return new Map([...agents, ...spaces].map(({ id, name }) => [id, name]));
}

async function setRule({ client, options, args }: RemoteCall<SetOptions>) {
  if (options.space !== undefined && options.agent !== undefined)
    throw usageError('A rule holds for a space or for an agent: give --space or --agent, not both.');
  const [effect, action] = args as [EffectClass, RuleAction];
  const { workspaceId, spaceId = null, agentId = null } = await policyPlace(client, options);
  const scope = spaceId !== null ? 'space' : agentId !== null ? 'agent' : 'workspace';
  const rule = { scope, scopeId: spaceId ?? agentId, effect, action } as const;
  const value = await client.setRule(workspaceId, rule, `rule/${crypto.randomUUID()}`);
  return { value, text: `Set: ${ruleText(value)} (${value.id}).` };
}

async function removeRule({ client, options, args: [id = ''] }: RemoteCall<RemoteOptions>) {
  const items = await rulesOf(client, options.workspace);
  const known = items.find((rule) => rule.id === id);
  const workspaceId = known?.workspaceId ?? (await policyPlace(client, options)).workspaceId;
  const value = await client.removeRule(workspaceId, id, `rule/${id}/remove`);
  return { value, text: `Removed: ${ruleText(value)}.` };
}
