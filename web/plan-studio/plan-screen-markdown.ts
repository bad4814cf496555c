import type { Estimate, Proposal } from '../../core-wasm/core.ts';
import { durationRange, money, moneyRange } from '../i18n/format.ts';
import { stepKeyOf } from './draft-edits.ts';

/** The plan as Markdown, to be pasted anywhere; what is not known of a node is left out. */
export function planMarkdown(proposal: Proposal, estimate: Estimate | null): string {
  const estimates = new Map(estimate?.nodes.map((node) => [node.key, node]));
  const roles = new Map(proposal.roles.map(({ key, title }) => [key, title]));
  const tickets = proposal.tickets.map(({ key, title, role, needs, description }) => {
    const known = estimates.get(stepKeyOf(key));
    const facts = [
      `Key: \`${key}\``,
      `Role: ${roles.get(role) ?? role}`,
      ...(needs.length > 0 ? [`Depends on: ${needs.map((need) => `\`${need}\``).join(', ')}`] : []),
      ...(known?.costMicros ? [`Cost p25–p75: ${moneyRange(known.costMicros)}`] : []),
      ...(known?.durationMs ? [`Elapsed p25–p75: ${durationRange(known.durationMs)}`] : []),
    ];
    return [`### ${title}`, facts.map((fact) => `- ${fact}`).join('\n'), description].join('\n\n');
  });
  return [proposal.goal, `Budget: ${money(proposal.budgetMicros)}`, '## Sub-tickets', ...tickets, '']
    .join('\n\n')
    .trimStart();
}
