import type { Client } from '../../scripts/cli/client/client.ts';
import type { MainJobResult } from '../../scripts/cli/main-job.ts';
import { git } from '../../scripts/demo/demo-repository.ts';

/** What the main job left, without ids and times: two jobs that did the same work give the same snapshot. */
export interface Snapshot {
  end: string;
  agents: string[];
  tickets: string[];
  spaces: string[];
  messages: string[];
  projects: number;
  teams: number;
  runs: string[];
  commits: string[];
  /** Branches that are left: the delivered one and that of the goal's conversation. */
  branches: number;
  /** Run totals against the sum of their answers, each message id counted once. */
  charges: 'exact' | string;
}

export async function snapshotOf(
  client: Client,
  result: MainJobResult,
  repository: string,
): Promise<Snapshot> {
  const { workspaceId } = result;
  await cardSettled(client, result);
  await worktreesPutAway(repository);
  const list = async (noun: string): Promise<Record<string, unknown>[]> => {
    const response = await client.send(`/api/workspaces/${workspaceId}/${noun}?limit=200`);
    return ((await response.json()) as { items: Record<string, unknown>[] }).items;
  };
  const agents = await list('agents');
  const nameOf = new Map(agents.map((agent) => [`agent:${agent.id}`, String(agent.name)]));
  const spaces = await list('spaces');
  const runs = await client.runs(workspaceId, {});
  const branch = result.orchestration?.branch ?? 'HEAD';
  return {
    end: result.end,
    agents: agents.map((agent) => String(agent.name)).sort(),
    tickets: (await list('tickets')).map((ticket) => `${ticket.title}: ${ticket.status}`).sort(),
    spaces: spaces.map((space) => `${space.mode} ${plain(String(space.name))}`).sort(),
    messages: (await messagesOf(list, spaces, nameOf)).sort(),
    projects: (await list('projects')).length,
    teams: (await list('teams')).length,
    runs: runs.map((run) => `${run.agentName} ${run.trigger.kind} ${run.mode} ${run.status}`).sort(),
    commits: git(repository, 'log', '--no-merges', '--format=%an: %s', `main..${branch}`)
      .trim()
      .split('\n')
      .sort(),
    branches: branchesOf(repository).length,
    charges: await chargesOf(
      client,
      workspaceId,
      runs.map((run) => run.id),
    ),
  };
}

const SETTLED_WITHIN_MS = 20_000;

/** The end of an orchestration shows at once; its tickets and then its card follow. */
async function cardSettled(client: Client, { workspaceId, conversationId }: MainJobResult): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS;
  while (Date.now() < until) {
    const messages = await client.messages(workspaceId, conversationId);
    const card = messages.find((message) => message.kind === 'proposal');
    if (!card || /^\*\*(Completed|Failed|Cancelled)\*\*/.test(card.body)) return;
    await Bun.sleep(50);
  }
}

export function branchesOf(repository: string): string[] {
  const refs = git(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/control-center/');
  return refs.trim().split('\n').sort();
}

/** What the delivered branch holds is put away last of all. */
async function worktreesPutAway(repository: string): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS;
  while (branchesOf(repository).length > 2 && Date.now() < until) await Bun.sleep(50);
}

async function messagesOf(
  list: (noun: string) => Promise<Record<string, unknown>[]>,
  spaces: Record<string, unknown>[],
  nameOf: ReadonlyMap<string, string>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const space of spaces) {
    for (const conversation of await list(`spaces/${space.id}/conversations`)) {
      for (const message of await list(`conversations/${conversation.id}/messages`)) {
        const author = nameOf.get(String(message.author)) ?? String(message.author).split(':')[0];
        lines.push(`${author} ${message.kind}: ${plain(String(message.body))}`);
      }
    }
  }
  return lines;
}

/** Ids, amounts, times and hashes differ from job to job. */
function plain(text: string): string {
  return text
    .replace(/\b[a-z]{2,4}_[0-9a-z]{22}\b/g, '<id>')
    .replace(/\$[0-9.]+/g, '<cost>')
    .replace(/\b[0-9.]+ ?(ms|s|min)\b/g, '<time>')
    .replace(/\b[0-9a-f]{7,40}\b/g, '<commit>')
    .slice(0, 200);
}

async function chargesOf(client: Client, workspaceId: string, runIds: readonly string[]): Promise<string> {
  const wrong: string[] = [];
  for (const id of runIds) {
    const run = await client.run(workspaceId, id);
    const costs = new Map<string, number>();
    for (const { entry } of await client.runEntries(workspaceId, id)) {
      if (entry.kind === 'answer') costs.set(entry.messageId, entry.costMicros ?? Number.NaN);
    }
    const sum = [...costs.values()].reduce((a, b) => a + b, 0);
    if (run.costMicros !== sum)
      wrong.push(`${run.agentName}: ${run.costMicros} recorded, ${sum} by its answers`);
  }
  return wrong.length === 0 ? 'exact' : wrong.join('; ');
}
