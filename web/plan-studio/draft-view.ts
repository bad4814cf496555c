import type { Estimate, NodeEstimate, Proposal } from '../../core-wasm/core.ts';
import type { StepRun, StepView } from '../../services/orchestration/orchestrations/orchestration.ts';
import type { StatusWord } from '../ui/status-words.ts';
import { stepKeyOf } from './draft-edits.ts';
import type { PlanNode, PlanView } from './plan-view.ts';
import { runAt, stepStatus } from './standing.ts';

export interface ViewFacts {
  estimate: Estimate | null;
  /** Empty before the plan is approved. */
  steps: readonly StepView[];
  /** Keys of sub-tickets that wait for an approval of their own. */
  deferred: readonly string[];
  isEditable: boolean;
  titles: StructuralTitles;
  /** What the status of a step does not say of its run. */
  noteOf?(run: StepRun): string | null;
}

/** Names of the steps that a proposal does not name itself. */
export interface StructuralTitles {
  research: string;
  position(role: string): string;
  synthesis: string;
}

type Outline = Pick<PlanNode, 'key' | 'kind' | 'title' | 'role' | 'needs'>;

/**
 * A proposal as the canvas shows it: the steps in which an agent works. The synthesis is drawn behind the sub-tickets that
 * nothing else needs, since a line from every one of them would say nothing.
 */
export function viewOf(proposal: Proposal, facts: ViewFacts): PlanView {
  const estimates = new Map(facts.estimate?.nodes.map((node) => [node.key, node]));
  const steps = new Map(facts.steps.map((step) => [step.key, step]));
  const deferred = new Set(facts.deferred.map(stepKeyOf));
  const roles = new Map(proposal.roles.map(({ key, title }) => [key, title]));
  const statusOf = (key: string): StatusWord | null => {
    const step = steps.get(key);
    return step ? stepStatus(step, deferred.has(key)) : null;
  };
  const nodes = outlineOf(proposal, facts.titles).map(
    (node): PlanNode => ({
      ...node,
      roleTitle: node.role === null ? null : (roles.get(node.role) ?? node.role),
      isReadOnly: node.kind !== 'ticket' || !facts.isEditable,
      estimate: estimates.get(node.key) ?? null,
      status: statusOf(node.key),
      statusNote: noteOf(steps.get(node.key), facts),
      isDeferred: deferred.has(node.key),
    }),
  );
  return { nodes, criticalPath: facts.estimate?.criticalPath ?? [] };
}

/** What stands in the way of a step's run, beside its status. */
function noteOf(step: StepView | undefined, { noteOf: told }: ViewFacts): string | null {
  const run = step && runAt(step);
  return (run && told?.(run)) ?? null;
}

function outlineOf(proposal: Proposal, titles: StructuralTitles): Outline[] {
  const { research, discussion, synthesis } = proposal;
  const first: Outline[] = research
    ? [{ key: 'research', kind: 'research', title: titles.research, role: research.role, needs: [] }]
    : [];
  const positions = discussion ? positionsOf(proposal, titles) : [];
  const entry = (positions.length > 0 ? positions : first).map(({ key }) => key);
  const tickets = ticketsOf(proposal, entry);
  const last: Outline = {
    ...{ key: 'synthesis', kind: 'synthesis', title: titles.synthesis, role: synthesis.role },
    needs: ends(tickets),
  };
  return [...first, ...positions, ...tickets, last];
}

function positionsOf({ roles, research }: Proposal, titles: StructuralTitles): Outline[] {
  return roles.map(({ key, title }) => ({
    ...{ key: `position/${key}`, kind: 'position' as const, title: titles.position(title), role: key },
    needs: research ? ['research'] : [],
  }));
}

function ticketsOf({ tickets }: Proposal, entry: readonly string[]): Outline[] {
  return tickets.map(({ key, title, role, needs }) => ({
    ...{ key: stepKeyOf(key), kind: 'ticket' as const, title, role },
    needs: needs.length > 0 ? needs.map(stepKeyOf) : entry,
  }));
}

/** Keys that no other one needs; all of them where they run in a circle. */
function ends(nodes: readonly Outline[]): string[] {
  const needed = new Set(nodes.flatMap(({ needs }) => needs));
  const last = nodes.map(({ key }) => key).filter((key) => !needed.has(key));
  return last.length > 0 ? last : nodes.map(({ key }) => key);
}

export const estimateOfNode = (estimate: Estimate | null, key: string): NodeEstimate | null =>
  estimate?.nodes.find((node) => node.key === key) ?? null;

/** The newer nodes, each the same object as before where it says the same, so that it is not drawn again. */
export function keepNodes(before: readonly PlanNode[], after: readonly PlanNode[]): PlanNode[] {
  const known = new Map(before.map((node) => [node.key, node]));
  return after.map((node) => {
    const old = known.get(node.key);
    return old && JSON.stringify(old) === JSON.stringify(node) ? old : node;
  });
}

/** The title of a node of a proposal. */
export function titleOfNode(proposal: Proposal, key: string, titles: StructuralTitles): string | null {
  return outlineOf(proposal, titles).find((node) => node.key === key)?.title ?? null;
}
