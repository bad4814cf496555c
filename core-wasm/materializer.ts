import { CoreError } from './errors.ts';
import { type GraphFault, type PlannedGraph, planGraph } from './graph.ts';
import type { Pipeline, PipelineStep, StepKind } from './pipeline.ts';
import type { Proposal, ProposedTicket } from './proposal.ts';

export interface ResolvedRole {
  key: string;
  agentId: string;
}

/** A step before its place in the pipeline is known; what its kind says by itself is left out. */
export interface StepDraft {
  key: string;
  kind: StepKind;
  title: string;
  /** In any order. */
  needs: string[];
  role: string | null;
  brief: string;
  outputSchema: Record<string, unknown> | null;
}

const POSITION_SCHEMA = {
  type: 'object',
  required: ['position', 'risks', 'suggestions'],
  properties: {
    position: { type: 'string' },
    risks: { type: 'array', items: { type: 'string' } },
    suggestions: { type: 'array', items: { type: 'string' } },
  },
};

const SYNTHESIS_SCHEMA = {
  type: 'object',
  required: ['deliverable', 'gaps'],
  properties: { deliverable: { type: 'string' }, gaps: { type: 'array', items: { type: 'string' } } },
};

/** A step in which no agent works. */
const plain = (kind: 'start' | 'collect' | 'deliver', title: string, needs: string[]): StepDraft => {
  return { key: kind, kind, title, needs, role: null, brief: '', outputSchema: null };
};

function researchStep({ role, brief }: NonNullable<Proposal['research']>): StepDraft {
  const texts = { key: 'research', kind: 'research', title: 'Research' } as const;
  return { ...texts, needs: ['start'], role, brief, outputSchema: null };
}

function positionSteps({ discussion, research, roles }: Proposal): StepDraft[] {
  if (discussion === null) return [];
  return roles.map(({ key, title }) => ({
    key: `position/${key}`,
    kind: 'position',
    title: `Position of ${title}`,
    needs: [research ? 'research' : 'start'],
    role: key,
    brief: discussion.question,
    outputSchema: structuredClone(POSITION_SCHEMA),
  }));
}

/** `entry` is what a ticket without needs of its own waits for. */
function ticketStep(ticket: ProposedTicket, entry: readonly string[]): StepDraft {
  return {
    key: `ticket/${ticket.key}`,
    kind: 'ticket',
    title: ticket.title,
    needs: ticket.needs.length === 0 ? [...entry] : ticket.needs.map((key) => `ticket/${key}`),
    role: ticket.role,
    brief: ticket.description,
    outputSchema: ticket.outputSchema,
  };
}

/**
 * The gate of a deferred ticket, then the ticket. The gate needs all that the ticket needs: once those have failed, nobody
 * waits at it for a ticket that cannot run.
 */
function gatedSteps(step: StepDraft, ticketKey: string): StepDraft[] {
  const key = `gate/${ticketKey}`;
  const texts = { kind: 'gate', title: `Approval of ${step.title}`, brief: '' } as const;
  const gate: StepDraft = { key, ...texts, needs: step.needs, role: null, outputSchema: null };
  return [gate, { ...step, needs: [...step.needs, key] }];
}

function ticketSteps(
  { tickets }: Proposal,
  entry: readonly string[],
  deferred: ReadonlySet<string>,
): StepDraft[] {
  return tickets.flatMap((ticket) => {
    const step = ticketStep(ticket, entry);
    return deferred.has(ticket.key) ? gatedSteps(step, ticket.key) : [step];
  });
}

function synthesisStep({ role, brief }: Proposal['synthesis']): StepDraft {
  const texts = { key: 'synthesis', kind: 'synthesis', title: 'Synthesis' } as const;
  return { ...texts, needs: ['collect'], role, brief, outputSchema: structuredClone(SYNTHESIS_SCHEMA) };
}

const NOTHING: ReadonlySet<string> = new Set();

/** The steps of a proposal in no particular order. */
export function draftSteps(proposal: Proposal, deferred = NOTHING): StepDraft[] {
  const research = proposal.research ? [researchStep(proposal.research)] : [];
  const positions = positionSteps(proposal);
  const before = positions.length > 0 ? positions : research;
  const entry = before.length > 0 ? before.map((step) => step.key) : ['start'];
  const tickets = ticketSteps(proposal, entry, deferred);
  const results = proposal.tickets.map(({ key }) => `ticket/${key}`);
  return [
    plain('start', 'Start', []),
    ...research,
    ...positions,
    ...tickets,
    plain('collect', 'Collect results', results.length > 0 ? results : entry),
    synthesisStep(proposal.synthesis),
    plain('deliver', 'Deliver', ['synthesis']),
  ];
}

function refuse(fault: GraphFault): never {
  if (fault.code === 'cycle') throw new CoreError('CYCLE', fault.path.join(' → '));
  throw new CoreError('BAD_ARGUMENT', `${fault.code} "${fault.key}" in the steps at ${fault.at}`);
}

/** Orders drafts by wave, then key. Throws CYCLE with the whole path, BAD_ARGUMENT for an unknown or duplicate key. */
export function planSteps(drafts: readonly StepDraft[]): PlannedGraph {
  const planned = planGraph(drafts);
  return 'ok' in planned ? refuse(planned) : planned;
}

/** Keys that the step at `rank` needs, sorted and each once: rows hold ranks in rising order. */
export function sortedNeeds({ needOff, need, keys }: PlannedGraph, rank: number): string[] {
  const needs: string[] = [];
  for (let j = needOff[rank]!, last = -1; j < needOff[rank + 1]!; j++) {
    if (need[j] !== last) needs.push(keys[need[j]!]!);
    last = need[j]!;
  }
  return needs;
}

function agentsOf(roles: readonly ResolvedRole[]): Map<string, string> {
  const agents = new Map<string, string>();
  roles.forEach(({ key, agentId }, i) => {
    if (agents.has(key)) throw new CoreError('BAD_ARGUMENT', `roles[${i}].key: "${key}" is resolved twice`);
    agents.set(key, agentId);
  });
  return agents;
}

function agentFor(role: string | null, step: string, agents: ReadonlyMap<string, string>): string | null {
  if (role === null) return null;
  const agentId = agents.get(role);
  if (agentId === undefined) throw new CoreError('BAD_ARGUMENT', `${step}: role "${role}" has no agent`);
  return agentId;
}

/** Research feeds every later step in which an agent works, beside what the step waits for; a gate takes and gives nothing. */
function inputsOf(kind: StepKind, needs: readonly string[], hasResearch: boolean): string[] {
  if (kind === 'gate') return [];
  const inputs = needs.filter((key) => key !== 'start' && !key.startsWith('gate/'));
  if (!hasResearch || (kind !== 'ticket' && kind !== 'synthesis') || inputs.includes('research'))
    return inputs;
  return [...inputs, 'research'].sort();
}

/** Work steps run in chat mode: an approval is the person saying "do it". All others only read. */
const MODES: Record<StepKind, PipelineStep['mode']> = {
  start: null,
  research: 'review',
  position: 'review',
  gate: null,
  ticket: 'chat',
  collect: null,
  synthesis: 'review',
  deliver: null,
};

export interface MaterializeOptions {
  /** Keys of tickets that nobody has approved yet: each waits behind a gate of its own. */
  deferred?: readonly string[];
}

function deferredKeys({ tickets }: Proposal, deferred: readonly string[]): ReadonlySet<string> {
  const known = new Set(tickets.map(({ key }) => key));
  deferred.forEach((key, i) => {
    if (!known.has(key)) throw new CoreError('BAD_ARGUMENT', `deferred[${i}]: no ticket "${key}"`);
  });
  return new Set(deferred);
}

/**
 * The pipeline of a proposal: start → research? → positions? → tickets → collect → synthesis → deliver, a gate before each
 * deferred ticket. Pure: the same proposal, roles and deferred tickets give the same pipeline. Throws CoreError CYCLE, or
 * BAD_ARGUMENT for a role without an agent and a key that is unknown or used twice.
 */
export function materialize(
  proposal: Proposal,
  roles: readonly ResolvedRole[],
  { deferred = [] }: MaterializeOptions = {},
): Pipeline {
  const drafts = draftSteps(proposal, deferredKeys(proposal, deferred));
  const agents = agentsOf(roles);
  const planned = planSteps(drafts);
  const steps = Array.from(planned.order, (rank): PipelineStep => {
    const { key, kind, title, role, brief, outputSchema } = drafts[planned.input[rank]!]!;
    const needs = sortedNeeds(planned, rank);
    return {
      key,
      kind,
      title,
      needs,
      role,
      agentId: agentFor(role, key, agents),
      mode: MODES[kind],
      brief,
      inputs: inputsOf(kind, needs, proposal.research !== null),
      outputSchema,
      idempotent: kind !== 'ticket',
      wave: planned.wave[rank]!,
      tolerateFailure: kind === 'collect',
    };
  });
  return { version: 1, goal: proposal.goal, budgetMicros: proposal.budgetMicros, steps };
}
