import { unwrap } from '../../../services/kit/peer.ts';
import type { SpacesApp } from '../../../services/spaces/service.ts';
import type { TicketPriority } from '../../../services/spaces/tickets/schema.ts';
import type { TicketStatus } from '../../../services/spaces/tickets/ticket-status.ts';
import { allPages } from './all-pages.ts';
import { keyed, overSend } from './over-send.ts';
import type { Send } from './send.ts';

export interface TicketToMake {
  title: string;
  description?: string | undefined;
  priority?: TicketPriority | undefined;
  assignee?: string | undefined;
  spaceId?: string | undefined;
  parentId?: string | undefined;
}

export interface TicketFilter {
  spaceId?: string | undefined;
  status?: TicketStatus | undefined;
  assignee?: string | undefined;
}

export function ticketCalls(send: Send) {
  const { tickets } = overSend<SpacesApp>(send).api.workspaces[':workspaceId'];
  return {
    tickets: (workspaceId: string, filter: TicketFilter) =>
      allPages((page) =>
        unwrap(tickets.$get({ param: { workspaceId }, query: defined({ ...filter, ...page }) })),
      ),
    ticket: (workspaceId: string, id: string) => unwrap(tickets[':id'].$get({ param: { workspaceId, id } })),
    createTicket: (workspaceId: string, ticket: TicketToMake, key: string) =>
      unwrap(tickets.$post({ param: { workspaceId }, json: { ...defined(ticket), key } }, keyed(key))),
    changeTicket: (
      workspaceId: string,
      id: string,
      json: { assignee?: string | null; status?: TicketStatus },
      key: string,
    ) => unwrap(tickets[':id'].$patch({ param: { workspaceId, id }, json }, keyed(key))),
  };
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Defined<T>;
}
