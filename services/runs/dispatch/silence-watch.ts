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

export interface SilenceListener {
  /** Nothing was heard for half of the limit. */
  onHalf(): void;
  /** After `onHalf`, the run was heard again. */
  onHeard(): void;
  /** Nothing was heard for the whole limit; called once. */
  onSilence(): void;
}

export function watchSilence(limitMs: number, listener: SilenceListener): SilenceWatch {
  let isStalled = false;
  let timer = setTimeout(onHalf, limitMs / 2);
  function onHalf() {
    isStalled = true;
    timer = setTimeout(() => listener.onSilence(), limitMs / 2);
    listener.onHalf();
  }
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(onHalf, limitMs / 2);
    if (isStalled) listener.onHeard();
    isStalled = false;
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
