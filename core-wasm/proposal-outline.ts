import { backEdges, type Columns, cycleOf } from './graph.ts';
import { type Json, joinPath } from './json.ts';
import { PROPOSAL_LIMITS } from './proposal.ts';
import type { ProposalFault } from './proposal-fault.ts';

/** A key and where it stands. The outline is read from input of any shape, so that every fault is found in one go. */
interface Place {
  key: string;
  path: string;
}

interface Outline {
  roles: Place[];
  existing: Place[];
  hires: Place[];
  tickets: (Place & { needs: Place[] })[];
  usedRoles: Place[];
}

type Fields = Record<string, Json | undefined>;

const fields = (value: Json | undefined): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

function place(value: Json | undefined, path: string): Place[] {
  return typeof value === 'string' ? [{ key: value, path }] : [];
}

function readOutline(value: Json): Outline {
  const proposal = fields(value);
  const outline: Outline = { roles: [], existing: [], hires: [], tickets: [], usedRoles: [] };
  list(proposal.roles).forEach((entry, i) => {
    const role = fields(entry);
    const agent = fields(role.agent);
    const path = joinPath('roles', i);
    outline.roles.push(...place(role.key, `${path}.key`));
    outline.existing.push(...place(agent.existing, `${path}.agent.existing`));
    outline.hires.push(...place(fields(agent.hire).name, `${path}.agent.hire.name`));
  });
  list(proposal.tickets).forEach((entry, i) => {
    const ticket = fields(entry);
    const path = joinPath('tickets', i);
    const needs = list(ticket.needs).flatMap((need, j) => place(need, `${path}.needs[${j}]`));
    outline.tickets.push(...place(ticket.key, `${path}.key`).map((key) => ({ ...key, needs })));
    outline.usedRoles.push(...place(ticket.role, `${path}.role`));
  });
  for (const phase of ['research', 'synthesis'])
    outline.usedRoles.push(...place(fields(proposal[phase]).role, `${phase}.role`));
  return outline;
}

/** Faults of keys that are the same, or the same but for upper and lower case. */
function collisions(places: readonly Place[], what: string): ProposalFault[] {
  const first = new Map<string, Place>();
  const faults: ProposalFault[] = [];
  for (const { key, path } of places) {
    const other = first.get(key.toLowerCase());
    if (other === undefined) first.set(key.toLowerCase(), { key, path });
    else if (other.key === key)
      faults.push({
        path,
        code: 'duplicate_key',
        message: `${what} "${key}" is already at ${other.path}; rename one`,
      });
    else
      faults.push({
        path,
        code: 'case_collision',
        message: `${what} "${key}" differs from "${other.key}" at ${other.path} in case alone; rename one`,
      });
  }
  return faults;
}

/** One agent may fill several roles, so only hires can collide, with each other and with existing agents. */
function agentCollisions({ existing, hires }: Outline): ProposalFault[] {
  const named = new Map(existing.map((agent) => [agent.key, agent]));
  return collisions([...named.values(), ...hires], 'agent');
}

function unknownRoles({ roles, usedRoles }: Outline): ProposalFault[] {
  const known = new Set(roles.map((role) => role.key));
  return usedRoles
    .filter((used) => !known.has(used.key))
    .map(({ key, path }) => ({
      path,
      code: 'unknown_role',
      message: `no role has the key "${key}"; name one of roles[].key or add the role`,
    }));
}

/** Faults of single needs: of itself, of a ticket that is not there, named twice. */
function needFaults({ tickets }: Outline): ProposalFault[] {
  const known = new Set(tickets.map((ticket) => ticket.key));
  return tickets.flatMap((ticket) => {
    const seen = new Set<string>();
    return ticket.needs.flatMap(({ key, path }): ProposalFault[] => {
      const again = seen.has(key);
      seen.add(key);
      if (again) return [{ path, code: 'duplicate_key', message: `"${key}" is needed twice; take one out` }];
      if (key === ticket.key)
        return [{ path, code: 'self_dependency', message: `"${key}" needs itself; take this need out` }];
      if (known.has(key)) return [];
      return [
        { path, code: 'unknown_key', message: `no ticket has the key "${key}"; name one of tickets[].key` },
      ];
    });
  });
}

interface NeedGraph extends Columns {
  keys: string[];
  /** Path of each need. */
  paths: string[];
}

/** The part of the graph whose keys are sound: first tickets of a key, needs of others that exist. */
function needGraph({ tickets }: Outline): NeedGraph {
  const at = new Map<string, number>();
  const distinct = tickets.filter(({ key }) => !at.has(key) && at.set(key, at.size));
  const need: number[] = [];
  const paths: string[] = [];
  const needOff = [0];
  for (const ticket of distinct) {
    for (const { key, path } of ticket.needs) {
      const u = at.get(key);
      if (u === undefined || key === ticket.key) continue;
      need.push(u);
      paths.push(path);
    }
    needOff.push(need.length);
  }
  return { keys: [...at.keys()], paths, needOff: Int32Array.from(needOff), need: Int32Array.from(need) };
}

const SHOWN_OF_CYCLE = 12;

/** A long cycle is cut in the middle: ten thousand of them must not make a message of megabytes. */
function showCycle(keys: readonly string[]): string {
  if (keys.length <= SHOWN_OF_CYCLE) return keys.join(' → ');
  const left = keys.length - SHOWN_OF_CYCLE;
  return [...keys.slice(0, 6), `(${left} more)`, ...keys.slice(-6)].join(' → ');
}

function cycleFaults(outline: Outline): ProposalFault[] {
  const graph = needGraph(outline);
  const { edges, from } = backEdges(graph);
  return edges.map((edge) => {
    const cycle = showCycle(cycleOf(edge, from).map((node) => graph.keys[node]!));
    return {
      path: graph.paths[edge.at]!,
      code: 'cycle',
      message: `closes the circle ${cycle} (each needs the next); take this need or another of the circle out`,
    };
  });
}

function limitFaults({ tickets }: Outline): ProposalFault[] {
  const needs = tickets.reduce((sum, ticket) => sum + ticket.needs.length, 0);
  if (needs <= PROPOSAL_LIMITS.needs) return [];
  const message = `${needs} needs in all, ${PROPOSAL_LIMITS.needs} are allowed; group tickets`;
  return [{ path: 'tickets', code: 'too_large', message }];
}

/** Every fault of keys, roles and dependencies, whatever else is wrong with the proposal. */
export function outlineFaults(value: Json): ProposalFault[] {
  const outline = readOutline(value);
  const keys = [...collisions(outline.roles, 'role'), ...collisions(outline.tickets, 'ticket')];
  const limits = limitFaults(outline);
  const agents = agentCollisions(outline);
  const cycles = limits.length === 0 ? cycleFaults(outline) : [];
  return [...keys, ...agents, ...unknownRoles(outline), ...needFaults(outline), ...limits, ...cycles];
}
