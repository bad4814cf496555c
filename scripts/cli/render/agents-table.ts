import type { LiveStateItem, PresenceEntry } from '../client/activity-calls.ts';
import { plainLine } from '../plain-text.ts';
import { duration } from './amounts.ts';
import { tableOfWorkspaces } from './workspace-column.ts';

type AgentEntry = Extract<PresenceEntry, { kind: 'agent' }>;

/** How an agent stands, and the name of its workspace. */
export type ListedAgent = LiveStateItem & { workspace: string };

/** Agents with how they stand and what they are about now; `presence` as it was read just now. */
export function agentsTable(
  states: readonly ListedAgent[],
  presence: readonly PresenceEntry[],
  nowMs: number,
): string {
  const entries = new Map(presence.flatMap((item) => (item.kind === 'agent' ? [[item.actor, item]] : [])));
  const columns = [
    ...[{ title: 'NAME', max: 24 }, { title: 'TITLE', max: 32 }, { title: 'STATE' }],
    ...[{ title: 'PRESENCE', max: 48 }, { title: 'RUN' }],
  ];
  const rows = states.map(({ agentId, name, title, state, runId }) => [
    ...[plainLine(name, 24), plainLine(title, 32), state],
    ...[activityText(entries.get(`agent:${agentId}`), nowMs), runId ?? ''],
  ]);
  const workspaces = states.map(({ workspace }) => workspace);
  return tableOfWorkspaces(columns, rows, workspaces, 'No agents yet.');
}

function activityText(entry: AgentEntry | undefined, nowMs: number): string {
  if (!entry?.activity) return 'unknown';
  const { activity, also } = entry;
  if (activity.state === 'neverRun') return 'has run nothing yet';
  const age = duration(Math.max(0, nowMs - activity.since));
  const more = also.length === 0 ? '' : `, and ${also.length} more`;
  const tool = plainLine(activity.tool ?? '', 32);
  switch (activity.state) {
    case 'thinking':
      return `thinking for ${age}${more}`;
    case 'runningTool':
      return `runs ${tool} for ${age}${more}`;
    case 'waitingForApproval':
      return `waits for a person${tool === '' ? '' : ` (${tool})`} for ${age}${more}`;
    case 'paused':
      return `paused for ${age}${more}`;
    case 'done':
      return `done ${age} ago`;
  }
}
