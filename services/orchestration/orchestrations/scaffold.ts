import { materialize, type Proposal, type ResolvedRole, type Role } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import { planOf } from '../pipelines/plan.ts';
import { lineOf } from '../text.ts';
import { patchCard } from './publish.ts';
import type { OrchestrationRow } from './schema.ts';
import { atBudget } from './store.ts';

/**
 * What approval sets up (ORCH-9): agents, project, team, sub-tickets, budget, pipeline and its run. It may be cut off
 * anywhere and called again: what was made is recorded, and each create carries a key of the orchestration.
 */
export async function scaffold(bench: Bench, workspaceId: string, id: string): Promise<void> {
  const site = await openSite(bench, workspaceId, id);
  if (!site) return;
  if (!site.row.pipelineRunId) {
    await patchCard(bench, workspaceId, id);
    const roles = await resolveRoles(site);
    const projectId = await fileProject(site);
    await formTeam(site, roles, projectId);
    await openTickets(site, roles, projectId);
    const { deferred, leftOut } = site.row;
    const pipeline = materialize(site.proposal, roles, { deferred: [...deferred, ...leftOut] });
    await bench.pipelines.adopt(workspaceId, id, pipeline);
  }
  await applyFirstBudget(site);
  await launch(site);
}

interface Site {
  bench: Bench;
  workspaceId: string;
  row: OrchestrationRow;
  proposal: Proposal;
  made: Map<string, string>;
}

async function openSite(bench: Bench, workspaceId: string, id: string): Promise<Site | null> {
  const row = await bench.store.get(workspaceId, id);
  if (row.status !== 'approved') return null;
  const proposal = await bench.revisions.proposal(workspaceId, id, row.approvedRevision ?? row.revision);
  return { bench, workspaceId, row, proposal, made: await bench.store.scaffoldItems(workspaceId, id) };
}

interface Wanted {
  item: string;
  make(key: string): Promise<{ id: string }>;
}

/** Items made at once, and recorded in one commit. */
const GROUP = 16;

/** Makes what is not recorded yet, group by group, unless the orchestration was cancelled meanwhile; gives ids in order. */
async function made(site: Site, wanted: readonly Wanted[]): Promise<string[]> {
  const missing = wanted.filter(({ item }) => !site.made.has(item));
  for (let i = 0; i < missing.length; i += GROUP) await makeGroup(site, missing.slice(i, i + GROUP));
  return wanted.map(({ item }) => String(site.made.get(item)));
}

async function makeGroup({ bench, workspaceId, row, made }: Site, group: readonly Wanted[]): Promise<void> {
  const { status } = await bench.store.get(workspaceId, row.id);
  if (status !== 'approved')
    throw new Fault('cancelled', `Orchestration ${row.id} is ${status}; setting up stopped.`);
  const results = await Promise.allSettled(group.map(({ item, make }) => make(`${row.id}/${item}`)));
  const items = new Map<string, string>();
  results.forEach((result, i) => {
    if (result.status === 'fulfilled') items.set(String(group[i]?.item), result.value.id);
  });
  await bench.store.recordItems(workspaceId, row.id, items);
  for (const [item, id] of items) made.set(item, id);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

async function once(site: Site, item: string, make: Wanted['make']): Promise<string> {
  const [id] = await made(site, [{ item, make }]);
  return String(id);
}

async function resolveRoles(site: Site): Promise<ResolvedRole[]> {
  const { roles } = site.proposal;
  const ids = await made(
    site,
    roles.map((role) => ({ item: `role/${role.key}`, make: (key) => agentFor(site, role, key) })),
  );
  return roles.map(({ key }, i) => ({ key, agentId: String(ids[i]) }));
}

async function agentFor({ bench, workspaceId }: Site, role: Role, key: string): Promise<{ id: string }> {
  const spaces = bench.spaces(workspaceId);
  if ('hire' in role.agent) {
    const { name, persona, skills } = role.agent.hire;
    return spaces.hireAgent({ key, name, title: lineOf(role.title), persona, skills });
  }
  const name = role.agent.existing.toLowerCase();
  const agent = (await spaces.listAgents()).find((known) => known.name.toLowerCase() === name);
  if (agent) return agent;
  throw new Fault(
    'not_found',
    `Role ${role.key} needs the agent ${role.agent.existing}, which is no longer there. Propose again with another agent.`,
  );
}

async function fileProject(site: Site): Promise<string> {
  const { bench, workspaceId, row } = site;
  const spaces = bench.spaces(workspaceId);
  const projectId = await once(site, 'project', (key) =>
    spaces.createProject({ key, name: lineOf(row.goal, 120), description: row.goal }),
  );
  if (row.parentTicketId) await spaces.patchTicket(row.parentTicketId, { projectId });
  await bench.store.change(workspaceId, row.id, { label: 'orchestration.project', set: { projectId } });
  return projectId;
}

async function formTeam(site: Site, roles: readonly ResolvedRole[], projectId: string): Promise<void> {
  const { bench, workspaceId, row } = site;
  const members = [...new Set(roles.map((role): Actor => `agent:${role.agentId}`))];
  const name = lineOf(`Team: ${row.goal}`, 120);
  const teamId = await once(site, 'team', (key) =>
    bench.spaces(workspaceId).createTeam({ key, name, members, projectId }),
  );
  await bench.store.change(workspaceId, row.id, { label: 'orchestration.team', set: { teamId } });
}

async function openTickets(site: Site, roles: readonly ResolvedRole[], projectId: string): Promise<void> {
  const agents = new Map(roles.map((role) => [role.key, role.agentId]));
  const { bench, workspaceId, row } = site;
  const spaces = bench.spaces(workspaceId);
  const later = new Set([...row.deferred, ...row.leftOut]);
  const wanted = site.proposal.tickets.map(({ key: ticketKey, title, description, role }) => ({
    item: `ticket/${ticketKey}`,
    make: (key: string) =>
      spaces.createTicket({
        ...{
          key,
          title: lineOf(title),
          description,
          status: later.has(ticketKey) ? ('backlog' as const) : ('open' as const),
          assignee: agentOf(agents.get(role)),
        },
        ...{ parentId: row.parentTicketId, spaceId: row.spaceId, projectId },
        provenance: { kind: 'pipelineStep', id: row.id },
      }),
  }));
  await made(site, wanted);
}

function agentOf(id: string | undefined): Actor {
  return `agent:${id}`;
}

async function applyFirstBudget({ bench, workspaceId, row }: Site): Promise<void> {
  await bench.runs(workspaceId).putBudget(row.id, row.budgetMicros);
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.budget',
    set: { appliedBudgetMicros: row.budgetMicros },
    when: [atBudget(row.budgetMicros)],
  });
}

async function launch({ bench, workspaceId, row: { id } }: Site): Promise<void> {
  const row = await bench.store.get(workspaceId, id);
  const template = await bench.pipelines.template(workspaceId, id);
  if (row.status !== 'approved' || !row.pipelineRunId || !template) return;
  await bench.engine.start(planOf({ workspaceId, runId: row.pipelineRunId }, id, template));
  await bench.store.change(workspaceId, id, {
    label: 'orchestration.execute',
    set: { status: 'executing' },
    from: ['approved'],
    event: { type: 'executing', actor: 'service:orchestration', data: { pipelineRunId: row.pipelineRunId } },
  });
}
