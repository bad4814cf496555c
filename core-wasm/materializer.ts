import { CoreError } from './errors.ts';
import { type GraphFault, type PlannedGraph, planGraph } from './graph.ts';
import type { Pipeline, PipelineStep, StepKind } from './pipeline.ts';
import type { Proposal, ProposedTicket } from './proposal.ts';

export interface ResolvedRole {
  key: string;
  agentId: string;
}

/** A step before its place in the pipeline is known; `needs` in any order. */
export type StepDraft = Omit<PipelineStep, 'wave' | 'agentId'>;

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

/** A step in which no agent works: it only starts, gathers or hands over, so it may run again. */
const plain = (kind: StepKind, title: string, needs: string[], inputs: string[]): StepDraft => ({
  ...{ key: kind, kind, title, needs, role: null, mode: null, brief: '', inputs, outputSchema: null },
  ...{ idempotent: true, tolerateFailure: kind === 'collect' },
});

/** A step in a read-only room: running it again changes nothing but its cost. */
const reading = (
  step: Pick<StepDraft, 'key' | 'kind' | 'title' | 'needs' | 'role' | 'brief' | 'inputs' | 'outputSchema'>,
): StepDraft => ({ ...step, mode: 'review', idempotent: true, tolerateFailure: false });

const researchKeys = (proposal: Proposal): string[] => (proposal.research ? ['research'] : []);

function researchSteps({ research }: Proposal): StepDraft[] {
  if (research === null) return [];
  const { role, brief } = research;
  const step = { key: 'research', kind: 'research', title: 'Research', role, brief } as const;
  return [reading({ ...step, needs: ['start'], inputs: [], outputSchema: null })];
}

function positionSteps(proposal: Proposal): StepDraft[] {
  if (proposal.discussion === null) return [];
  const { question } = proposal.discussion;
  const inputs = researchKeys(proposal);
  const needs = inputs.length > 0 ? inputs : ['start'];
  return proposal.roles.map(({ key, title }) =>
    reading({
      ...{ key: `position/${key}`, kind: 'position', title: `Position of ${title}`, role: key },
      ...{
        brief: question,
        needs: [...needs],
        inputs: [...inputs],
        outputSchema: structuredClone(POSITION_SCHEMA),
      },
    }),
  );
}

function ticketStep(
  ticket: ProposedTicket,
  entry: readonly string[],
  research: readonly string[],
): StepDraft {
  const isRoot = ticket.needs.length === 0;
  const needs = isRoot ? [...entry] : ticket.needs.map((key) => `ticket/${key}`);
  const inputs = [...new Set([...needs, ...research])].filter((key) => key !== 'start').sort();
  return {
    ...{
      key: `ticket/${ticket.key}`,
      kind: 'ticket',
      title: ticket.title,
      needs,
      role: ticket.role,
      mode: 'chat',
    },
    ...{ brief: ticket.description, inputs, outputSchema: ticket.outputSchema },
    ...{ idempotent: false, tolerateFailure: false },
  };
}

function synthesisStep({ synthesis, research }: Proposal): StepDraft {
  const inputs = research === null ? ['collect'] : ['collect', 'research'];
  const step = { key: 'synthesis', kind: 'synthesis', title: 'Synthesis', role: synthesis.role } as const;
  const outputSchema = structuredClone(SYNTHESIS_SCHEMA);
  return reading({ ...step, brief: synthesis.brief, needs: ['collect'], inputs, outputSchema });
}

/** The steps of a proposal in no particular order. */
export function draftSteps(proposal: Proposal): StepDraft[] {
  const research = researchKeys(proposal);
  const positions = positionSteps(proposal);
  const before = positions.length > 0 ? positions.map((step) => step.key) : research;
  const entry = before.length > 0 ? before : ['start'];
  const tickets = proposal.tickets.map((ticket) => ticketStep(ticket, entry, research));
  const results = tickets.map((step) => step.key).sort();
  return [
    plain('start', 'Start', [], []),
    ...researchSteps(proposal),
    ...positions,
    ...tickets,
    plain('collect', 'Collect results', results.length > 0 ? results : [...entry], results),
    synthesisStep(proposal),
    plain('deliver', 'Deliver', ['synthesis'], ['synthesis']),
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

/**
 * The pipeline of a proposal: start → research? → positions? → tickets → collect → synthesis → deliver. Pure: the same
 * proposal and roles give the same pipeline. Throws CoreError CYCLE, or BAD_ARGUMENT for a role without an agent and a key
 * that is unknown or used twice.
 */
export function materialize(proposal: Proposal, roles: readonly ResolvedRole[]): Pipeline {
  const drafts = draftSteps(proposal);
  const agents = agentsOf(roles);
  const planned = planSteps(drafts);
  const steps = Array.from(planned.order, (rank): PipelineStep => {
    const { key, kind, title, role, ...rest } = drafts[planned.input[rank]!]!;
    const needs = sortedNeeds(planned, rank);
    return {
      ...rest,
      key,
      kind,
      title,
      needs,
      role,
      agentId: agentFor(role, key, agents),
      wave: planned.wave[rank]!,
    };
  });
  return { version: 1, goal: proposal.goal, budgetMicros: proposal.budgetMicros, steps };
}
