import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { chosenWorkspaces } from '../locate.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { agentsTable } from '../render/agents-table.ts';

export function addAgents(program: Command, cli: Cli): void {
  const agents = program.command('agents').description('list agents: how they stand and what they do now');
  onRemoteAction(cli, agents, listAgents);
}

async function listAgents({ client, options }: RemoteCall<RemoteOptions>) {
  const parts = [];
  for (const { id, name } of await chosenWorkspaces(client, options.workspace)) {
    const [states, presence] = await Promise.all([client.liveStates(id), client.presence(id)]);
    parts.push([states.map((state) => ({ ...state, workspace: name })), presence] as const);
  }
  const states = parts.flatMap(([found]) => found);
  const presence = parts.flatMap(([, found]) => found);
  const entries = new Map(presence.map((item) => [item.actor, item]));
  const items = states.map((item) => ({ ...item, presence: entries.get(`agent:${item.agentId}`) ?? null }));
  return { value: { items }, text: agentsTable(states, presence, Date.now()) };
}
