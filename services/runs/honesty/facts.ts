import type { HostFacts } from '../../runner/runner.ts';

/** What is asked of each adapter on each host. */
export const QUESTIONS = {
  surfaceFiltered: 'Is a tool that the mode takes away invisible to the model?',
  callsIntercepted: 'Is each call judged before it runs?',
  ownToolsSeen: "Are the CLI's own tools seen?",
  contractObserved: 'Is it observed whether the run delivered what its mode is for?',
  processSandboxed: 'Does what it starts run in a sandbox of the operating system?',
  worktreeReadOnly: 'In a read-only mode, is the worktree read-only below the tools?',
} as const;
export type Question = keyof typeof QUESTIONS;

export interface Fact {
  holds: 'yes' | 'partly' | 'no';
  /** What makes it so, and where it ends, in sentences for people. */
  how: string;
}

export interface AdapterFacts {
  /** Whether runs can be given to it in this version; if not, why. */
  available: boolean;
  reason: string | null;
  facts(host: HostFacts): Record<Question, Fact>;
}
