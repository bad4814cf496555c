import type { Json } from '../e2e/world.ts';

const STEP = {
  ...{ kind: 'ticket', title: '', role: 'coder', agentId: null, needs: [], attempt: 1, run: null },
  ...{ runId: null, ticketId: null, costMicros: null, startedAt: null, endedAt: null, error: null },
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** A step whose run has not ended, and what that stands at. */
const at = (standing: string, rest: Json = {}) => ({
  state: 'waiting',
  run: {
    ...{ id: 'run_1', atRunId: 'run_1', agentId: 'agt_1', agentName: 'engineer', standing },
    ...{ approvalId: null, errorFamily: null, summary: null, resumeAt: null, takenOverBy: null },
    ...{ pausedBy: null, since: null, ...rest },
  },
});

/** A step in each state: its key, what the server says of it, the words of its card, and the step it needs. */
export const STATES: [key: string, said: Json, word: string, need?: string][] = [
  ['done', { state: 'done' }, 'Done'],
  ['running', at('working'), 'Running', 'done'],
  ['failed', { state: 'failed' }, 'Failed', 'done'],
  ['skipped', { state: 'skipped' }, 'Skipped', 'done'],
  ['parked', { state: 'parked' }, 'Blocked', 'done'],
  ['ready', { state: 'ready' }, 'Ready', 'done'],
  ['pending', { state: 'blocked' }, 'Pending', 'running'],
  ['deferred', { state: 'blocked' }, 'Deferred', 'running'],
  ['cancelled', { state: 'cancelled' }, 'Cancelled', 'failed'],
  ['asking', at('awaiting'), 'Waiting for you', 'ready'],
  ['silent', at('stalled'), 'Silent for long', 'ready'],
  ['paused', at('retrying', { errorFamily: 'overloaded' }), 'The model’s provider is overloaded', 'ready'],
  ['stuck', at('blocked', { errorFamily: 'budget' }), 'The budget is used up', 'ready'],
];

/** What the server says of a plan that is carried out with these steps. */
export const atWork = (detail: Json): Json => ({
  ...{ ...detail, status: 'executing', deferred: ['deferred'] },
  steps: STATES.map(([key, said]) => ({ ...STEP, key: `ticket/${key}`, ...said })),
});
