import { useMutation } from '@tanstack/react-query';
import { ask, runs } from '../../api/client.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { notifyFailure } from '../../ui/notices.tsx';

const at = runs.api.workspaces[':workspaceId'].runs[':id'];
export type RunAction = 'cancel' | 'pause' | 'resume';

/** Stops, pauses or resumes a run with everything below it. @throws ApiProblem */
export async function actOnRun(workspaceId: string, id: string, action: RunAction): Promise<void> {
  await ask(at[action].$post({ param: { workspaceId, id } }));
  refreshRun(workspaceId, id);
}

/** One that is pending by itself, so that several runs can be acted on at once. */
export function useRunAction(ws: string, id: string) {
  return useMutation({
    mutationFn: (action: RunAction) => actOnRun(ws, id, action),
    onError: notifyFailure,
  });
}

/** How often a takeover is asked for again while a call is in flight; each waits 20 s. */
const TAKEOVER_TRIES = 15;

/** Has the run's work in this person's hands once its call is over; null when the call does not end. @throws ApiProblem */
export async function takeOver(workspaceId: string, id: string) {
  for (let i = 0; i < TAKEOVER_TRIES; i++) {
    const taken = await ask(at.takeover.$post({ param: { workspaceId, id } }));
    refreshRun(workspaceId, id);
    if (taken.state === 'held') return taken;
  }
  return null;
}

/** @throws ApiProblem */
export async function handBack(workspaceId: string, id: string, note: string): Promise<void> {
  const json = { note: note.trim() === '' ? null : note.trim() };
  await ask(at.handback.$post({ param: { workspaceId, id }, json }));
  refreshRun(workspaceId, id);
}

function refreshRun(workspaceId: string, id: string): void {
  void queryClient.invalidateQueries({ queryKey: keys.run(workspaceId, id) });
  void queryClient.invalidateQueries({ queryKey: ['run-trees', workspaceId] });
}
