import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import type { JobTarget } from './job.ts';

/** Ids of what belongs to one job; agents, members and workspaces are shared by many. */
const OWN_ID = /\b(?!agt_|mem_|ws_)[a-z]{2,6}_[0-9a-z]{22}\b/g;

/**
 * Tells whether an event belongs to a job: it names something that the job is known to have. What such an event is about
 * then belongs to the job as well, as a run to its conversation.
 */
export function createRelevance(target: JobTarget): (event: WorkspaceEvent) => boolean {
  const { spaceId, conversationId, messageId, orchestrationId } = target;
  const known = new Set([spaceId, conversationId, messageId, orchestrationId]);
  return (event) => {
    const ids = [event.subject, ...idsOf(event.data)];
    if (!ids.some((id) => known.has(id))) return false;
    for (const id of ids) known.add(id);
    return true;
  };
}

/** Ids in whole values, not in prose that happens to name one. */
function idsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length <= 200 ? (value.match(OWN_ID) ?? []) : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(idsOf);
}
