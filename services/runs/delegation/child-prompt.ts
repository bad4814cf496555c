import type { TicketFacts, WholeTicket } from '../peers/spaces-port.ts';
import { quotedBody } from '../prompt/conversation-prompt.ts';

/** The rest is read with read_ticket. */
const RESULT_CHARS = 8_000;

export interface ChildFacts {
  ticket: WholeTicket;
  /** Name of the agent that had it. */
  assignee: string;
  /** The comment with which its run ended, if that is how it ended. */
  resultCommentId: string | null;
  /** Who brought it to its end, where that was not its run. */
  endedBy: string | null;
  /** Tickets of the same run that have not ended. */
  open: readonly Pick<TicketFacts, 'number' | 'title'>[];
}

/** What an agent is told when a ticket that it delegated has ended. */
export function childPrompt({ ticket, assignee, resultCommentId, endedBy, open }: ChildFacts): string {
  const { number, id, title, status, comments } = ticket;
  const result = comments.find((comment) => comment.id === resultCommentId)?.body.trim() ?? '';
  const head = `Ticket #${number} (${id}), "${title}", which you delegated to ${assignee}, is ${STATES[status] ?? `over; its status is ${status}`}.`;
  const more = result.length > RESULT_CHARS ? `\n\nThat is the beginning; read_ticket gives the whole.` : '';
  return [
    endedBy === null ? head : `${head} ${endedBy} brought it there.`,
    result === '' ? 'No result was left.' : `${quotedBody(result, RESULT_CHARS)}${more}`,
    stillOpen(open),
    'Go on from there with what you were asked.',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const STATES: Partial<Record<TicketFacts['status'], string>> = {
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

function stillOpen(open: ChildFacts['open']): string {
  if (open.length === 0) return '';
  const names = open.map(({ number, title }) => `#${number} ${title}`).join('; ');
  return `Still open of what you delegated, and you are told of each when it ends: ${names}.`;
}
