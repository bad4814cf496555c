import { type Json, joinPath } from './json.ts';
import type { ProposalFault } from './proposal-fault.ts';
import { collisions, fields, list, type Place, place, workFaults } from './work-graph.ts';

/** The names of a proposal that others of its parts refer to. */
interface Outline {
  roles: Place[];
  existing: Place[];
  hires: Place[];
  usedRoles: Place[];
}

function readOutline(value: Json): Outline {
  const proposal = fields(value);
  const outline: Outline = { roles: [], existing: [], hires: [], usedRoles: [] };
  list(proposal.roles).forEach((entry, i) => {
    const role = fields(entry);
    const agent = fields(role.agent);
    const path = joinPath('roles', i);
    outline.roles.push(...place(role.key, `${path}.key`));
    outline.existing.push(...place(agent.existing, `${path}.agent.existing`));
    outline.hires.push(...place(fields(agent.hire).name, `${path}.agent.hire.name`));
  });
  list(proposal.tickets).forEach((entry, i) => {
    outline.usedRoles.push(...place(fields(entry).role, `${joinPath('tickets', i)}.role`));
  });
  for (const phase of ['research', 'synthesis'])
    outline.usedRoles.push(...place(fields(proposal[phase]).role, `${phase}.role`));
  return outline;
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

/** Every fault of keys, roles and dependencies, whatever else is wrong with the proposal. */
export function outlineFaults(value: Json): ProposalFault[] {
  const outline = readOutline(value);
  return [
    ...collisions(outline.roles, 'role'),
    ...agentCollisions(outline),
    ...unknownRoles(outline),
    ...workFaults(fields(value).tickets, { list: 'tickets', one: 'ticket' }),
  ];
}
