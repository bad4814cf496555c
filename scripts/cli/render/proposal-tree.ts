import {
  type Estimate,
  type NodeEstimate,
  orderGraph,
  type Proposal,
  type ProposedTicket,
  type Role,
} from '../../../core-wasm/core.ts';
import type { Paint } from '../paint.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { money } from './amounts.ts';
import { estimateLines, nodeEstimateText } from './estimate.ts';

export interface ProposalView {
  id: string;
  revision: number;
  proposal: Proposal;
  estimate: Estimate;
}

/** A proposal for a person to judge: goal, roles, the plan as a tree, the budget and what it is likely to take. */
export function proposalTree(view: ProposalView, paint: Paint, columns = 100): string {
  const { proposal, estimate } = view;
  return [
    `${paint.bold('Proposal')} ${view.id}, revision ${view.revision}`,
    '',
    paint.bold('Goal'),
    ...indent(plainText(proposal.goal).split('\n')),
    '',
    paint.bold('Roles'),
    ...indent(proposal.roles.map((role) => roleLine(role, columns - 2))),
    '',
    paint.bold('Plan'),
    ...indent(planLines(proposal, estimate, paint, columns - 2)),
    '',
    `${paint.bold('Budget')}    ${money(proposal.budgetMicros)}`,
    paint.bold('Estimate'),
    ...indent(estimateLines(estimate)),
  ].join('\n');
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function roleLine(role: Role, width: number): string {
  const who =
    'existing' in role.agent
      ? `agent ${role.agent.existing}`
      : `to be hired as ${role.agent.hire.name}${skillsText(role.agent.hire.skills)}`;
  return plainLine(`${role.key}  ${role.title}: ${who}`, width);
}

function skillsText(skills: readonly string[]): string {
  return skills.length === 0 ? '' : ` with the skills ${skills.join(', ')}`;
}

interface Branch {
  text: string;
  children: Branch[];
}

function planLines(proposal: Proposal, estimate: Estimate, paint: Paint, width: number): string[] {
  const nodes = new Map(estimate.nodes.map((node) => [node.key, node]));
  const label = (name: string, role: string, key: string, note = '') =>
    nodeText({ name, role, note, node: nodes.get(key) }, paint, width);
  const phases: Branch[] = [];
  if (proposal.research)
    phases.push({ text: label('Research', proposal.research.role, 'research'), children: [] });
  if (proposal.discussion) phases.push(discussionBranch(proposal, nodes, paint, width));
  phases.push(
    ...ticketForest(proposal.tickets, (ticket, note) =>
      label(`${ticket.key}  ${ticket.title}`, ticket.role, `ticket/${ticket.key}`, note),
    ),
  );
  phases.push({
    text: label('Synthesis', proposal.synthesis.role, 'synthesis', 'after all tickets'),
    children: [],
  });
  return treeLines(phases);
}

function discussionBranch(
  proposal: Proposal,
  nodes: ReadonlyMap<string, NodeEstimate>,
  paint: Paint,
  width: number,
): Branch {
  const children = proposal.roles.map((role) => {
    const node = nodes.get(`position/${role.key}`);
    return {
      text: nodeText({ name: 'Position', role: role.key, note: '', node }, paint, width),
      children: [],
    };
  });
  return { text: plainLine(`Discussion: ${proposal.discussion?.question ?? ''}`, width - 4), children };
}

interface NodeLabel {
  name: string;
  role: string;
  note: string;
  node: NodeEstimate | undefined;
}

function nodeText({ name, role, note, node }: NodeLabel, paint: Paint, width: number): string {
  const after = note === '' ? '' : `  ${note}`;
  const facts = `  [${role}]${after}  estimate: ${nodeEstimateText(node)}`;
  return plainLine(name, Math.max(20, width - 8 - facts.length)) + paint.dim(facts);
}

/**
 * Tickets under the dependency that comes last in the order, so that each stands once; its other dependencies are named
 * beside it. A graph that has no order (it never gets here by way of a server) is listed flat.
 */
function ticketForest(
  tickets: readonly ProposedTicket[],
  label: (ticket: ProposedTicket, note: string) => string,
): Branch[] {
  const ordering = orderGraph(tickets);
  const rank = new Map(ordering.ok ? ordering.order.map((key, i) => [key, i]) : []);
  const rankOf = (key: string) => rank.get(key) ?? -1;
  const branches = new Map<string, Branch>();
  const roots: Branch[] = [];
  for (const ticket of [...tickets].sort((a, b) => rankOf(a.key) - rankOf(b.key))) {
    const needs = [...ticket.needs].sort((a, b) => rankOf(b) - rankOf(a));
    const parent = branches.get(needs[0] ?? '');
    const others = parent ? needs.slice(1) : needs;
    const branch = {
      text: label(ticket, others.length > 0 ? `also after ${others.join(', ')}` : ''),
      children: [],
    };
    branches.set(ticket.key, branch);
    (parent?.children ?? roots).push(branch);
  }
  return roots;
}

/** Iterative: a chain of a thousand tickets is a tree a thousand deep. */
function treeLines(roots: readonly Branch[]): string[] {
  const lines: string[] = [];
  const stack = stacked(roots, '');
  for (let at = stack.pop(); at; at = stack.pop()) {
    lines.push(`${at.prefix}${at.last ? '└─ ' : '├─ '}${at.branch.text}`);
    stack.push(...stacked(at.branch.children, at.prefix + (at.last ? '   ' : '│  ')));
  }
  return lines;
}

function stacked(branches: readonly Branch[], prefix: string) {
  return branches.map((branch, i) => ({ branch, prefix, last: i === branches.length - 1 })).reverse();
}
