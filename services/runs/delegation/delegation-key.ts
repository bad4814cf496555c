/** One assignment of a ticket: the ticket and the number of the assignment. */
export interface DelegationRef {
  ticketId: string;
  number: number;
}

export function isTicketId(id: string | null): id is string {
  return id?.startsWith('tkt_') ?? false;
}

/** Key of the one run that an assignment is. */
export function assignmentKey({ ticketId, number }: DelegationRef): string {
  return `assignment:${ticketId}/${number}`;
}

/** Names the word to whoever delegated that the ticket has ended. */
export function childCompletedId({ ticketId, number }: DelegationRef): string {
  return `childCompleted:${ticketId}/${number}`;
}

const FORMS = {
  assignment: /^assignment:(tkt_\w+)\/(\d+)$/,
  childCompleted: /^childCompleted:(tkt_\w+)\/(\d+)$/,
};

/** What such a key names; null for any other text. */
export function refOf(form: keyof typeof FORMS, key: string | null): DelegationRef | null {
  const [, ticketId, number] = FORMS[form].exec(key ?? '') ?? [];
  return ticketId === undefined ? null : { ticketId, number: Number(number) };
}
