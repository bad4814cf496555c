import { create } from 'zustand';

const STORED = 'control-center.failures-aside';
const MOST = 200;

/** Runs whose failure this person has put aside in this browser. */
export const useAside = create<{ runIds: ReadonlySet<string> }>()(() => ({ runIds: restored() }));

export function putAside(runId: string): void {
  keep([...useAside.getState().runIds, runId].slice(-MOST));
}

export function takeBack(runId: string): void {
  keep([...useAside.getState().runIds].filter((id) => id !== runId));
}

function keep(runIds: readonly string[]): void {
  localStorage.setItem(STORED, JSON.stringify(runIds));
  useAside.setState({ runIds: new Set(runIds) });
}

function restored(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []);
  } catch {
    // Not written by this version: everything is shown.
    return new Set();
  }
}
