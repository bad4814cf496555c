import { expect, test } from 'bun:test';
import { type Standing, type StandingFacts, standingFor } from './standing.ts';

test.each<[Partial<StandingFacts>, Standing]>([
  [{ phase: 'queued', startedAt: null }, 'queued'],
  [{ phase: 'live', startedAt: null }, 'queued'],
  [{ phase: 'queued' }, 'working'],
  [{ phase: 'live' }, 'working'],
  [{ phase: 'live', liveness: 'stalled' }, 'stalled'],
  [{ phase: 'waiting', waitingFor: 'apr_1' }, 'awaiting'],
  [{ phase: 'paused', pauseRequestedBy: 'person:mem_1' }, 'paused'],
  [{ phase: 'paused', pauseRequestedBy: 'person:mem_1', errorFamily: 'network', resumeAt: 9 }, 'paused'],
  [{ phase: 'paused', errorFamily: 'overloaded', resumeAt: 9 }, 'retrying'],
  [{ phase: 'paused', errorFamily: 'authentication' }, 'blocked'],
  [{ phase: 'live', takenOverBy: 'person:mem_1' }, 'takenOver'],
  [{ phase: 'paused', takenOverBy: 'person:mem_1', pauseRequestedBy: 'person:mem_1' }, 'takenOver'],
])('a run with %o stands as %s', (change, standing) => {
  const working: StandingFacts = {
    ...{ phase: 'live', liveness: 'progressing', errorFamily: null, waitingFor: null, startedAt: 1 },
    ...{ resumeAt: null, pauseRequestedBy: null, takenOverBy: null },
  };
  expect(standingFor({ ...working, ...change })).toBe(standing);
});
