import type { Clock } from '../../kit/clock.ts';

/** How long somebody whose connection was lost counts as connected: a page that loads again needs about a second. */
export const GRACE_MS = 10_000;

export interface ConnectedPerson {
  memberId: string;
  /** When the first of the connections that there are without a break began. */
  since: number;
  /** One of the connections is of somebody who may decide and says so. */
  decides: boolean;
  /** What the connections say that the person looks at, each once, in the order in which they came to it. */
  focus: string[];
}

/** A person's connection as it says of itself. */
interface PersonConnection {
  memberId: string;
  decides: boolean;
  focus?: string | undefined;
}

/** Who is connected; in memory alone, since a restart ends every connection. */
export interface Presence {
  /** A person follows the workspace, until the returned function is called. */
  connect(workspaceId: string, person: PersonConnection): () => void;
  /** Whether somebody is there who may decide, or was until a moment ago. */
  isAttended(workspaceId: string): boolean;
  /** Those who are there, or were until a moment ago. */
  people(workspaceId: string): ConnectedPerson[];
  /** Calls `listener` with the workspace when its people change, until the returned function is called. */
  onChange(listener: (workspaceId: string) => void): () => void;
}

interface Connections {
  since: number;
  open: Set<PersonConnection>;
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
    connect(workspaceId, person) {
      const attendance = workspaces.get(workspaceId) ?? { deciding: 0, lastLeftAt: 0, members: new Map() };
      workspaces.set(workspaceId, attendance);
      // An object of its own for each connection, whoever gives the same one twice.
      const connection = { ...person };
      const member = enter(attendance, connection, clock());
      tell(workspaceId);
      return () => {
        if (!leave(attendance, member, connection, clock())) return;
        if (member.open.size === 0) {
          member.leaving = setTimeout(() => {
            attendance.members.delete(person.memberId);
            tell(workspaceId);
          }, graceMs);
          member.leaving.unref();
        }
        // Also when it was the last: what somebody looked at a moment ago is looked at no more.
        tell(workspaceId);
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
      return [...members].map(([memberId, { since, open }]) => {
        const connections = [...open];
        const focus = [...new Set(connections.flatMap((connection) => connection.focus ?? []))];
        return { memberId, since, decides: connections.some(({ decides }) => decides), focus };
      });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Who comes back in time has not been away. */
function enter(attendance: Attendance, connection: PersonConnection, at: number): Connections {
  const { memberId, decides } = connection;
  const member = attendance.members.get(memberId) ?? { since: at, open: new Set(), leaving: undefined };
  attendance.members.set(memberId, member);
  clearTimeout(member.leaving);
  member.open.add(connection);
  if (decides) attendance.deciding++;
  return member;
}

/** False for one that has left before. */
function leave(
  attendance: Attendance,
  member: Connections,
  connection: PersonConnection,
  at: number,
): boolean {
  if (!member.open.delete(connection)) return false;
  if (connection.decides) {
    attendance.deciding--;
    attendance.lastLeftAt = at;
  }
  return true;
}
