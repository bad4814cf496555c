import type { Gate } from './gate.ts';
import type { Git } from './git.ts';
import type { WorktreePlaces } from './layout.ts';
import type { WorktreeRef } from './runner.ts';
import type { ProbedSandbox } from './sandbox-probe.ts';

/** What the runner's operations share. */
export interface Host {
  dataDir: string;
  git: Git;
  /** Per worktree: commands share it, what changes git's state has it alone. */
  gate: Gate;
  /** Worktrees found whole by this process; later openings need not ask git again. */
  settled: Set<string>;
  /** One at a time per source repository. */
  perRepository<T>(commonDir: string, task: () => Promise<T>): Promise<T>;
  /** The name of a point just before or after an outside effect. */
  point(name: string): void;
  places(ref: WorktreeRef): WorktreePlaces;
  nextMarker(kind: 'brief' | 'command'): Promise<string>;
  sandbox(): Promise<ProbedSandbox>;
  readable: readonly string[];
  hidden: readonly string[];
}
