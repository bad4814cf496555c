import type { Clock } from '../../kit/clock.ts';

/** How long somebody whose connection was lost counts as connected: a page that loads again needs about a second. */
export const GRACE_MS = 10_000;

/** Who that may decide is connected; in memory alone, since a restart ends every connection. */
export interface Presence {
  /** Somebody who may decide follows the workspace, until the returned function is called. */
  attend(workspaceId: string): () => void;
  isAttended(workspaceId: string): boolean;
}

interface Attendance {
  connections: number;
  lastLeftAt: number;
}

export function createPresence(clock: Clock): Presence {
  const workspaces = new Map<string, Attendance>();
  return {
    attend(workspaceId) {
      const attendance = workspaces.get(workspaceId) ?? { connections: 0, lastLeftAt: 0 };
      workspaces.set(workspaceId, attendance);
      attendance.connections++;
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        attendance.connections--;
        attendance.lastLeftAt = clock();
      };
    },
    isAttended(workspaceId) {
      const attendance = workspaces.get(workspaceId);
      if (!attendance) return false;
      const goneMs = clock() - attendance.lastLeftAt;
      return attendance.connections > 0 || (goneMs >= 0 && goneMs < GRACE_MS);
    },
  };
}
