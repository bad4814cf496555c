import type { Proposal, ProposedTicket } from '../../core-wasm/core.ts';

/** A sub-ticket for tests, complete but for what is given. */
export const ticket = (key: string, more: Partial<ProposedTicket> = {}): ProposedTicket => ({
  ...{ key, title: `Title ${key}`, description: `Do ${key}.`, role: 'dev', needs: [], outputSchema: null },
  references: [],
  ...more,
});

export const proposal = (tickets: ProposedTicket[], more: Partial<Proposal> = {}): Proposal => ({
  goal: 'Ship it',
  roles: [
    { key: 'dev', title: 'Developer', agent: { existing: 'engineer' } },
    { key: 'qa', title: 'Tester', agent: { existing: 'qa' } },
  ],
  ...{ research: null, discussion: null, tickets, synthesis: { role: 'dev', brief: 'Say it.' } },
  budgetMicros: 1_000_000,
  ...more,
});
