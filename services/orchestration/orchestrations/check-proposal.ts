import { type Proposal, type ProposedTicket, validateProposal } from '../../../core-wasm/core.ts';
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
  if (!checked.ok) throw invalidProposal(checked.faults);
  const agents = await spaces.listAgents();
  const faults = agentFaults(checked.proposal, new Set(agents.map((agent) => agent.name.toLowerCase())));
  if (faults.length > 0) throw invalidProposal(faults);
  return checked.proposal;
}

export function invalidProposal(faults: readonly NamedFault[], what = 'proposal'): Fault {
  const shown = faults.slice(0, 20).map(({ path, message }) => `${path || '(whole)'}: ${message}`);
  const rest = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : '';
  return new Fault('invalid_proposal', `The ${what} is not valid: ${shown.join('; ')}${rest}.`, { faults });
}

function agentFaults({ roles }: Proposal, known: ReadonlySet<string>): NamedFault[] {
  const hired = new Map<string, number>();
  return roles.flatMap(({ agent }, i): NamedFault[] => {
    if ('existing' in agent) {
      if (known.has(agent.existing.toLowerCase())) return [];
      const message = `there is no agent ${JSON.stringify(agent.existing)}; name one that exists, or hire one`;
      return [{ path: `roles[${i}].agent.existing`, code: 'unknown_agent', message }];
    }
    const { name } = agent.hire;
    const path = `roles[${i}].agent.hire.name`;
    const earlier = hired.get(name);
    hired.set(name, earlier ?? i);
    if (known.has(name)) {
      const message = `there is an agent ${name} already; name it as existing, or choose another name`;
      return [{ path, code: 'agent_exists', message }];
    }
    if (earlier === undefined) return [];
    return [
      { path, code: 'duplicate_key', message: `roles[${earlier}] hires ${name} too; choose another name` },
    ];
  });
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
  return [...structural, ...after.tickets.flatMap((ticket, i) => ticketFaults(known, ticket, i))];
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
