import type { Client } from '../client/client.ts';
import type { JobState } from './job.ts';

/** How long a decided gate is given until its agent's next run is there. */
const FOLLOW_UP_MS = 30_000;

/**
 * Gates of plan mode outlive the run that asked: once one is decided, its agent gets another run. Tells whether such a run
 * is still to come.
 */
export function createGates(client: Pick<Client, 'approval'>, workspaceId: string) {
  const decidedAt = new Map<string, number | null>();
  return async (state: JobState): Promise<boolean> => {
    const pending = new Set(state.approvals.flatMap(({ id, kind }) => (kind === 'plan_exit' ? [id] : [])));
    for (const id of pending) decidedAt.set(id, null);
    for (const [id, at] of decidedAt) {
      if (pending.has(id)) continue;
      const isFollowed = state.runs.some(({ trigger }) => trigger.kind === 'followUp' && trigger.id === id);
      const isLate = at !== null && Date.now() - at > FOLLOW_UP_MS;
      const isOver = isFollowed || isLate || (await client.approval(workspaceId, id)).status === 'superseded';
      if (isOver) decidedAt.delete(id);
      else decidedAt.set(id, at ?? Date.now());
    }
    return [...decidedAt.keys()].some((id) => !pending.has(id));
  };
}
