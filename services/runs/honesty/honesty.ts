import type { HostFacts } from '../../runner/runner.ts';
import { BUILT_IN_ADAPTER } from '../runs/run.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import { type AdapterFacts, type Fact, QUESTIONS, type Question } from './facts.ts';
import { HARNESS } from './harness.ts';

export interface Honesty {
  questions: typeof QUESTIONS;
  host: HostFacts;
  adapters: { adapter: string; available: boolean; reason: string | null; facts: Record<Question, Fact> }[];
}

const ADAPTERS: Record<string, AdapterFacts> = { [BUILT_IN_ADAPTER]: HARNESS, 'claude-code': CLAUDE_CODE };

/** Where each guarantee really holds, with each adapter on this host. */
export function honestyOf(host: HostFacts): Honesty {
  const adapters = Object.entries(ADAPTERS).map(([adapter, { available, reason, facts }]) => ({
    ...{ adapter, available, reason },
    facts: facts(host),
  }));
  return { questions: QUESTIONS, host, adapters };
}
