import type { RunsDeps } from '../deps.ts';
import { namesOf } from '../prompt/names.ts';
import { agentActor, isRunId } from '../runs/run.ts';
import type { RunRow } from '../runs/schema.ts';
import { findRow } from '../runs/store.ts';
import { postNotice } from './notices.ts';
import type { SteeredRun } from './store.ts';

/**
 * Says of a message to a run that waits or is paused that it is kept, and what the run waits for: once for each run and wait.
 * @throws Fault of spaces when it is one that may pass
 */
export async function tellKept(deps: RunsDeps, workspaceId: string, steered: SteeredRun): Promise<void> {
  if (steered.isTaken || (steered.phase !== 'waiting' && steered.phase !== 'paused')) return;
  const row = await findRow(await deps.databases.open(workspaceId), steered.runId);
  if (row.conversationId === null || (row.phase !== 'waiting' && row.phase !== 'paused')) return;
  const wait = row.takenOverBy ?? row.waitingFor ?? 'pause';
  await postNotice(deps, workspaceId, agentActor(row.agentId), row.conversationId, {
    body: `Your message is kept; I read it when I go on. ${await reasonOf(deps, workspaceId, row)}`,
    data: { runId: row.id, status: row.status, waitingFor: row.waitingFor },
    key: `${row.id}/kept/${wait}/${row.parkedAt ?? 0}`,
  });
}

async function reasonOf(deps: RunsDeps, workspaceId: string, row: RunRow): Promise<string> {
  if (row.takenOverBy !== null) {
    const nameOf = await namesOf(deps.spaces, workspaceId);
    return `${nameOf(row.takenOverBy)} has taken my work over. It can be given back here or with \`cctl runs handback ${row.id}\`.`;
  }
  if (row.phase === 'paused') {
    const byItself = row.resumeAt === null ? '' : ` It goes on by itself at ${timeText(row.resumeAt)}.`;
    return `The run is paused: ${row.summary ?? 'no reason was given.'}${byItself} ${resumeText(row.id)}`;
  }
  return waitText(deps, workspaceId, row);
}

/** What a tree waits for is told by the run in it that waits for a person. */
async function waitText(deps: RunsDeps, workspaceId: string, row: RunRow): Promise<string> {
  const { waitingFor } = row;
  if (waitingFor === null) return 'I wait for something that was just decided.';
  if (!isRunId(waitingFor)) {
    const { kind } = await deps.spaces.approval(workspaceId, waitingFor);
    return `I wait for ${WAITS[kind] ?? 'a decision'} (${waitingFor}): see the inbox.`;
  }
  const below = await findRow(await deps.databases.open(workspaceId), waitingFor);
  const own = `I wait for a sub-agent (${waitingFor})`;
  if (below.phase === 'paused') return `${own}, which is paused. ${resumeText(waitingFor)}`;
  if (below.phase !== 'waiting') return `${own}, which is at work.`;
  return `${own}, which says: ${await waitText(deps, workspaceId, below)}`;
}

const WAITS: Partial<Record<string, string>> = {
  question: 'the answer to a question',
  action: 'the approval of an action',
  plan_exit: 'leave to begin the work',
};

/** How a paused run goes on, for who reads it beside its button and for who reads it elsewhere. */
function resumeText(runId: string): string {
  return `Resume it here or with \`cctl runs resume ${runId}\`.`;
}

/** A moment as people and programs read it, to the minute. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
