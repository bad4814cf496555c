import type { Clock } from '../../kit/clock.ts';

/** How long somebody whose connection was lost counts as connected: a page that loads again needs about a second. */
export const GRACE_MS = 10_000;

export interface ConnectedPerson {
  memberId: string;
  /** When the first of the connections that there are without a break began. */
  since: number;
  /** One of the connections is of somebody who may decide and says so. */
  decides: boolean;
}

/** Who is connected; in memory alone, since a restart ends every connection. */
export interface Presence {
  /** A person follows the workspace, until the returned function is called. */
  connect(workspaceId: string, person: { memberId: string; decides: boolean }): () => void;
  /** Whether somebody is there who may decide, or was until a moment ago. */
  isAttended(workspaceId: string): boolean;
  /** Those who are there, or were until a moment ago. */
  people(workspaceId: string): ConnectedPerson[];
  /** Calls `listener` with the workspace when its people change, until the returned function is called. */
  onChange(listener: (workspaceId: string) => void): () => void;
}

interface Connections {
  since: number;
  all: number;
  deciding: number;
  leaving: ReturnType<typeof setTimeout> | undefined;
}

interface Attendance {
  deciding: number;
  lastLeftAt: number;
  members: Map<string, Connections>;
}

/** @param graceMs how long somebody who left is still shown */
export function createPresence(clock: Clock, graceMs = GRACE_MS): Presence {
  const workspaces = new Map<string, Attendance>();
  const listeners = new Set<(workspaceId: string) => void>();
  const tell = (workspaceId: string) => {
    for (const listener of listeners) listener(workspaceId);
  };
  return {
    connect(workspaceId, { memberId, decides }) {
      const attendance = workspaces.get(workspaceId) ?? { deciding: 0, lastLeftAt: 0, members: new Map() };
      workspaces.set(workspaceId, attendance);
      const member = enter(attendance, memberId, clock());
      count(attendance, member, decides, 1);
      tell(workspaceId);
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        count(attendance, member, decides, -1);
        if (decides) attendance.lastLeftAt = clock();
        if (member.all === 0) {
          member.leaving = setTimeout(() => {
            attendance.members.delete(memberId);
            tell(workspaceId);
          }, graceMs);
          member.leaving.unref();
        } else tell(workspaceId);
      };
    },
    isAttended(workspaceId) {
      const attendance = workspaces.get(workspaceId);
      if (!attendance) return false;
      const goneMs = clock() - attendance.lastLeftAt;
      return attendance.deciding > 0 || (goneMs >= 0 && goneMs < GRACE_MS);
    },
    people(workspaceId) {
      const members = workspaces.get(workspaceId)?.members ?? new Map<string, Connections>();
      return [...members].map(([memberId, { since, deciding }]) => ({
        ...{ memberId, since, decides: deciding > 0 },
      }));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Who comes back in time has not been away. */
function enter({ members }: Attendance, memberId: string, at: number): Connections {
  const member = members.get(memberId) ?? { since: at, all: 0, deciding: 0, leaving: undefined };
  members.set(memberId, member);
  clearTimeout(member.leaving);
  return member;
}

function count(attendance: Attendance, member: Connections, decides: boolean, by: 1 | -1): void {
  member.all += by;
  if (!decides) return;
  member.deciding += by;
  attendance.deciding += by;
}
