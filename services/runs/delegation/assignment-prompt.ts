import type { WholeTicket } from '../peers/spaces-port.ts';
import { quotedBody } from '../prompt/conversation-prompt.ts';

const DESCRIPTION_CHARS = 40_000;
const COMMENT_CHARS = 4_000;
const COMMENTS_CHARS = 20_000;

export interface AssignmentFacts {
  ticket: WholeTicket;
  nameOf(actor: string): string;
  delegatedBy: string;
  /** The tools that the agent will have; no other is named. */
  surface: readonly string[];
}

/** What an agent is told of a ticket that came to it: the task, who asks, and what becomes of its answer. */
export function assignmentPrompt({ ticket, nameOf, delegatedBy, surface }: AssignmentFacts): string {
  const { number, id, title, priority, description } = ticket;
  return [
    `${nameOf(delegatedBy)} assigns you ticket #${number} (${id}): ${title}`,
    priority === 'none' ? '' : `Priority: ${priority}`,
    description.trim() === '' ? 'It has no description.' : quotedBody(description, DESCRIPTION_CHARS),
    commentsOf(ticket, nameOf),
    endText(surface),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function commentsOf({ comments }: WholeTicket, nameOf: (actor: string) => string): string {
  const shown: string[] = [];
  let chars = 0;
  for (const { author, body } of comments.toReversed()) {
    const text = `${nameOf(author)}:\n${quotedBody(body, COMMENT_CHARS)}`;
    chars += text.length;
    if (chars > COMMENTS_CHARS) break;
    shown.unshift(text);
  }
  if (comments.length === 0) return '';
  const left = comments.length - shown.length;
  const heading = left > 0 ? `Its comments, without the ${left} oldest:` : 'Its comments:';
  return `${heading}\n\n${shown.join('\n\n')}`;
}

function endText(surface: readonly string[]): string {
  const update = surface.includes('update_ticket')
    ? ' If it cannot be done, or a person has to look at it first, set its status with update_ticket to failed, blocked or inReview and say why.'
    : ' If it cannot be done, say so and why.';
  const delegate = surface.includes('create_ticket')
    ? ' If you delegate parts of it, end your answer then: you are woken with each result, and the ticket stays open till the last has come.'
    : '';
  return `When you end, your answer becomes a comment of the ticket and the ticket is done; so answer with the result.${update}${delegate}`;
}
