import { keys, queryClient } from '../api/queries.ts';
import type { WorkspaceEvent } from './workspace-feed.ts';

/** Between two looks at what is at work. */
const PACE_MS = 1_000;
/** Many events of one moment make one look. */
const TOGETHER_MS = 50;
/** Steps and runs of an orchestration tell by `data.orchestrationId` whose they are. */
const TELLING: ReadonlySet<string> = new Set(['step', 'run']);

interface Moving {
  take(event: WorkspaceEvent): void;
  stop(): void;
}

/**
 * Looks again at an orchestration while it works: at the first event at once, then once a second and never before the look
 * before is over, however many of its steps and runs tell something. What hangs below its key, revisions and the basis of
 * the estimate, does not change with that.
 */
export function lookAtMoving(workspaceId: string): Moving {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const look = async () => {
    const ids = [...waiting];
    waiting.clear();
    const looks = ids.map((id) =>
      queryClient.invalidateQueries({ queryKey: keys.orchestration(workspaceId, id), exact: true }),
    );
    await Promise.allSettled([...looks, new Promise((done) => setTimeout(done, PACE_MS))]);
    timer = undefined;
    again();
  };
  const again = () => {
    if (waiting.size > 0 && !isStopped) timer ??= setTimeout(() => void look(), TOGETHER_MS);
  };
  return {
    take({ type, data: { orchestrationId } }) {
      if (!TELLING.has(type.split('.')[0] ?? '') || typeof orchestrationId !== 'string') return;
      waiting.add(orchestrationId);
      again();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
