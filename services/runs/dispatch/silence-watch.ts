import type { PreparedRun } from './prepare-run.ts';

const MINUTE_MS = 60_000;
const WRITABLE_LIMIT_MINUTES = 15;
const READ_ONLY_LIMIT_MINUTES = 10;

/** How long a run may be silent: as its agent says, else by what it can do. */
export function silenceLimitMs({ agent, profile }: Pick<PreparedRun, 'agent' | 'profile'>): number {
  const usual = profile.worktree === 'read-only' ? READ_ONLY_LIMIT_MINUTES : WRITABLE_LIMIT_MINUTES;
  return (agent.silenceTimeoutMinutes ?? usual) * MINUTE_MS;
}

export interface SilenceWatch {
  /** Something was heard of the run. */
  touch(): void;
  /** Work that is not the run's own silence, such as a wait for its budget. */
  during<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

/** Calls `onSilence` once when nothing was heard for `limitMs`. */
export function watchSilence(limitMs: number, onSilence: () => void): SilenceWatch {
  let timer = setTimeout(onSilence, limitMs);
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, limitMs);
  };
  return {
    touch,
    during: (work) => {
      clearTimeout(timer);
      return work.finally(touch);
    },
    end: () => clearTimeout(timer),
  };
}
