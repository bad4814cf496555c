import type { Client } from '../client/client.ts';
import type { Paint } from '../paint.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { tableOfWorkspaces } from './workspace-column.ts';

type Ticket = Awaited<ReturnType<Client['tickets']>>[number];
type WholeTicket = Awaited<ReturnType<Client['ticket']>>;
type NameOf = (actor: string) => string;
/** A ticket, and the name of its workspace. */
export type ListedTicket = Ticket & { workspace: string };

export function ticketsTable(tickets: readonly ListedTicket[], nameOf: NameOf): string {
  const columns = ['ID', 'NO', 'STATUS', 'ASSIGNEE', 'TITLE'].map((title) => ({ title }));
  const rows = tickets.map(({ id, number, status, assignee, title }) => [
    id,
    `#${number}`,
    status,
    assignee === null ? '-' : plainLine(nameOf(assignee), 24),
    plainLine(title, 70),
  ]);
  const workspaces = tickets.map(({ workspace }) => workspace);
  return tableOfWorkspaces(columns, rows, workspaces, 'No tickets.');
}

/** A ticket for a person: what it is, who worked or works on it, and what was said. */
export function ticketText(ticket: WholeTicket, nameOf: NameOf, paint: Paint): string {
  const { id, number, title, status, priority, assignee, parentId, spaceId, description, comments } = ticket;
  const who = assignee === null ? 'nobody' : plainLine(nameOf(assignee), 60);
  const { kind, id: source } = ticket.provenance;
  return [
    `${paint.bold(plainLine(`#${number} ${title}`, 160))} (${id})`,
    `Status    ${status}, priority ${priority}`,
    `Assignee  ${who}`,
    `Space     ${spaceId ?? 'none'}`,
    ...(parentId === null ? [] : [`Part of   ${parentId}`]),
    `Origin    ${source === null ? kind : `${kind} (${plainLine(source, 80)})`}`,
    ...ticket.delegations.map((one) => `Work      ${delegationText(one, nameOf)}`),
    '',
    description.trim() === '' ? '(no description)' : plainText(description.trim()),
    ...comments.flatMap(({ author, body }) => [
      '',
      paint.bold(plainLine(nameOf(author), 60)),
      plainText(body.trim()),
    ]),
  ].join('\n');
}

function delegationText(
  {
    number,
    agentId,
    delegatedBy,
    beganAt,
    withdrawnAt,
    endedAt,
    outcome,
    chain,
  }: WholeTicket['delegations'][number],
  nameOf: NameOf,
): string {
  const state =
    withdrawnAt !== null
      ? 'taken away'
      : endedAt !== null
        ? String(outcome)
        : beganAt !== null
          ? 'at work'
          : 'not begun';
  const names = chain.map((id) => plainLine(nameOf(`agent:${id}`), 24)).join(' → ');
  const through = chain.length > 1 ? ` (${names})` : '';
  return `${number}. ${plainLine(nameOf(`agent:${agentId}`), 24)}, ${state}; assigned by ${plainLine(nameOf(delegatedBy), 40)}${through}`;
}
