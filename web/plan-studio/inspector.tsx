import { ticketKeyOf, ticketOf } from './draft-edits.ts';
import { InspectorOverview } from './inspector-overview.tsx';
import { InspectorStructural } from './inspector-structural.tsx';
import { InspectorTicket } from './inspector-ticket.tsx';
import { useIsEditable, useProposal } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import { useRevision } from './plan-screen-view.ts';

/** The fields of the selected node, or the plan as a whole. Of an older revision they are to be read alone. */
export function Inspector() {
  const { node, rev, diff } = usePlanUrl();
  const older = useRevision(diff?.to ?? rev);
  const present = useProposal();
  const proposal = older ?? present;
  const isEditable = useIsEditable() && older === null;
  if (node === null) return <InspectorOverview proposal={proposal} />;
  const key = ticketKeyOf(node);
  const ticket = key === null ? undefined : ticketOf(proposal, key);
  if (ticket) return <InspectorTicket key={node} {...{ proposal, ticket, isEditable }} />;
  return <InspectorStructural proposal={proposal} nodeKey={node} />;
}
