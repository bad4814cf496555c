import type { GraphNode, Pipeline, PipelineStep, Proposal, ResolvedRole } from '../core.ts';
import { orderByWave, referenceWaves } from './graph.ts';

type Draft = Omit<PipelineStep, 'wave' | 'agentId'>;

const sorted = (keys: Iterable<string>): string[] =>
  [...new Set(keys)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

const strings = { type: 'array', items: { type: 'string' } };

const blank = {
  role: null,
  mode: null,
  brief: '',
  outputSchema: null,
  idempotent: true,
  tolerateFailure: false,
} as const;
const readOnly = { mode: 'review', outputSchema: null, idempotent: true, tolerateFailure: false } as const;

function phases({ research, discussion, roles }: Proposal): Draft[] {
  const steps: Draft[] = [{ ...blank, key: 'start', kind: 'start', title: 'Start', needs: [], inputs: [] }];
  if (research) {
    const text = { key: 'research', title: 'Research', ...research };
    steps.push({ ...readOnly, ...text, kind: 'research', needs: ['start'], inputs: [] });
  }
  const before = research ? 'research' : 'start';
  if (!discussion) return steps;
  for (const role of roles) {
    steps.push({
      ...readOnly,
      key: `position/${role.key}`,
      kind: 'position',
      title: `Position of ${role.title}`,
      needs: [before],
      role: role.key,
      brief: discussion.question,
      inputs: research ? ['research'] : [],
      outputSchema: {
        type: 'object',
        required: ['position', 'risks', 'suggestions'],
        properties: { position: { type: 'string' }, risks: strings, suggestions: strings },
      },
    });
  }
  return steps;
}

/** Each deferred ticket gets a need of its own, which waits for what the ticket waits for and gives it nothing. */
function gated(steps: readonly Draft[], deferred: readonly string[]): Draft[] {
  const gates = deferred.map((ticket): Draft => {
    const { title, needs } = steps.find(({ key }) => key === `ticket/${ticket}`)!;
    const texts = { key: `gate/${ticket}`, title: `Approval of ${title}` };
    return { ...blank, ...texts, kind: 'gate', needs, inputs: [] };
  });
  const names = new Map(gates.map((gate) => [gate.key.replace('gate', 'ticket'), gate.key]));
  const behind = steps.map((step) => {
    const gate = names.get(step.key);
    return gate === undefined ? step : { ...step, needs: sorted([...step.needs, gate]) };
  });
  return [...gates, ...behind];
}

function work(proposal: Proposal): Draft[] {
  const positions = proposal.roles.map(({ key }) => `position/${key}`);
  const roots = proposal.discussion ? positions : [proposal.research ? 'research' : 'start'];
  return proposal.tickets.map((ticket): Draft => {
    const needs = ticket.needs.length > 0 ? ticket.needs.map((key) => `ticket/${key}`) : roots;
    const inputs = sorted([...needs, ...(proposal.research ? ['research'] : [])]).filter(
      (key) => key !== 'start',
    );
    return {
      key: `ticket/${ticket.key}`,
      kind: 'ticket',
      title: ticket.title,
      needs: sorted(needs),
      role: ticket.role,
      mode: 'chat',
      brief: ticket.description,
      inputs,
      outputSchema: ticket.outputSchema,
      idempotent: false,
      tolerateFailure: false,
    };
  });
}

function ending(proposal: Proposal): Draft[] {
  const tickets = sorted(proposal.tickets.map(({ key }) => `ticket/${key}`));
  const outputSchema = {
    type: 'object',
    required: ['deliverable', 'gaps'],
    properties: { deliverable: { type: 'string' }, gaps: strings },
  };
  const inputs = proposal.research ? ['collect', 'research'] : ['collect'];
  const synthesis = {
    ...readOnly,
    ...proposal.synthesis,
    key: 'synthesis',
    title: 'Synthesis',
    outputSchema,
  };
  return [
    {
      ...{ ...blank, key: 'collect', kind: 'collect', title: 'Collect results' },
      ...{ needs: tickets, inputs: tickets, tolerateFailure: true },
    },
    { ...synthesis, kind: 'synthesis', needs: ['collect'], inputs },
    {
      ...blank,
      key: 'deliver',
      kind: 'deliver',
      title: 'Deliver',
      needs: ['synthesis'],
      inputs: ['synthesis'],
    },
  ];
}

/**
 * The pipeline in plain TypeScript with maps, for a sound proposal and roles that are all resolved. `wavesOf` lets the
 * benchmark put another library's ordering into the same work.
 */
export function referenceMaterialize(
  proposal: Proposal,
  roles: readonly ResolvedRole[],
  wavesOf: (nodes: readonly GraphNode[]) => ReadonlyMap<string, number> | null = referenceWaves,
  deferred: readonly string[] = [],
): Pipeline {
  const plain = [...phases(proposal), ...work(proposal), ...ending(proposal)];
  const drafts = new Map(gated(plain, [...new Set(deferred)]).map((step) => [step.key, step]));
  const agents = new Map(roles.map(({ key, agentId }) => [key, agentId]));
  const waves = wavesOf([...drafts.values()]);
  if (waves === null) throw new Error('cycle');
  const steps = orderByWave(waves).map((key): PipelineStep => {
    const draft = drafts.get(key)!;
    return {
      ...draft,
      agentId: draft.role === null ? null : agents.get(draft.role)!,
      wave: waves.get(key)!,
    };
  });
  return { version: 1, goal: proposal.goal, budgetMicros: proposal.budgetMicros, steps };
}
