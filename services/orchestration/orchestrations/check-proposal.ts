import {
  PROPOSAL_LIMITS,
  type Proposal,
  type ProposedTicket,
  validateProposal,
} from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';
import type { SpacesPort } from '../ports.ts';

/** A fault of the core's validation, or one that only this workspace can know. */
export interface NamedFault {
  path: string;
  code: string;
  message: string;
}

/**
 * The proposal with its defaults filled in, sound and possible in this workspace.
 * @throws Fault invalid_proposal with every fault by path in `detail.faults`
 */
export async function checkProposal(input: unknown, spaces: SpacesPort): Promise<Proposal> {
  const checked = validateProposal(input);
  const agents = await spaces.listAgents();
  const faults = [
    ...(checked.ok ? [] : checked.faults),
    ...agentFaults(input, new Set(agents.map((agent) => agent.name.toLowerCase()))),
  ];
  if (checked.ok && faults.length === 0) return checked.proposal;
  throw invalidProposal(faults);
}

/**
 * Agents come and go while a proposal waits: what was possible then is looked at again before it is approved.
 * @throws Fault conflict with the faults by path in `detail.faults`; the proposal stays as it is
 */
export async function requirePossible(proposal: Proposal, spaces: SpacesPort): Promise<void> {
  const agents = await spaces.listAgents();
  const faults = agentFaults(proposal, new Set(agents.map((agent) => agent.name.toLowerCase())));
  if (faults.length === 0) return;
  const shown = faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new Fault(
    'conflict',
    `The workspace's agents are not those of the proposal any more, so nothing was approved: ${shown}. Ask for a revision, or change the agents.`,
    { faults },
  );
}

export function invalidProposal(faults: readonly NamedFault[], what = 'proposal'): Fault {
  const shown = faults.slice(0, 20).map(({ path, message }) => `${path || '(whole)'}: ${message}`);
  const rest = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : '';
  return new Fault('invalid_proposal', `The ${what} is not valid: ${shown.join('; ')}${rest}.`, { faults });
}

/** What the roles, as far as they can be made out, ask of the workspace's agents. */
function agentFaults(input: unknown, known: ReadonlySet<string>): NamedFault[] {
  const roles = fieldsOf(input).roles;
  if (!Array.isArray(roles) || roles.length > PROPOSAL_LIMITS.roles) return [];
  return roles.flatMap((role: unknown, i): NamedFault[] => {
    const agent = fieldsOf(fieldsOf(role).agent);
    const { existing } = agent;
    const { name } = fieldsOf(agent.hire);
    const path = `roles[${i}].agent`;
    if (typeof existing === 'string' && !known.has(existing.trim().toLowerCase())) {
      const message = `there is no agent ${JSON.stringify(existing.slice(0, 80))}; name one that exists, or hire one`;
      return [{ path: `${path}.existing`, code: 'unknown_agent', message }];
    }
    if (typeof name === 'string' && known.has(name)) {
      const message = `there is an agent ${name} already; name it as existing, or choose another name`;
      return [{ path: `${path}.hire.name`, code: 'agent_exists', message }];
    }
    return [];
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const READ_ONLY = ['goal', 'roles', 'research', 'discussion', 'synthesis', 'budgetMicros'] as const;

/**
 * What a person's edit may not touch (ORCH-4): all but a sub-ticket's title, description, role, needs and output schema,
 * and its deletion.
 */
export function editFaults(before: Proposal, after: Proposal): NamedFault[] {
  const structural = READ_ONLY.filter((field) => !isSame(before[field], after[field])).map((path) => ({
    ...{ path, code: 'read_only' },
    message: 'cannot be edited; ask for a new proposal to change it',
  }));
  const known = new Map(before.tickets.map((ticket) => [ticket.key, ticket]));
  const faults = after.tickets.flatMap((ticket, i) => ticketFaults(known, ticket, i));
  return [...structural, ...faults, ...(faults.length === 0 ? orderFaults(before, after) : [])];
}

/** Sub-tickets keep their places: one that is moved would make every comparison of two revisions lie. */
function orderFaults(before: Proposal, after: Proposal): NamedFault[] {
  const keys = after.tickets.map(({ key }) => key);
  const kept = new Set(keys);
  const order = before.tickets.map(({ key }) => key).filter((key) => kept.has(key));
  if (isSame(order, keys)) return [];
  return [
    { path: 'tickets', code: 'read_only', message: `keep their order: ${order.slice(0, 20).join(', ')}` },
  ];
}

function ticketFaults(
  known: ReadonlyMap<string, ProposedTicket>,
  after: ProposedTicket,
  i: number,
): NamedFault[] {
  const before = known.get(after.key);
  if (!before) {
    const message = `there was no sub-ticket ${after.key} before; sub-tickets can be changed or deleted, not added`;
    return [{ path: `tickets[${i}].key`, code: 'read_only', message }];
  }
  if (isSame(before.references, after.references)) return [];
  return [{ path: `tickets[${i}].references`, code: 'read_only', message: 'cannot be edited' }];
}

// Both sides were read by the core's schema, which fixes the order of the fields.
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
