import { texts } from '../i18n/text.ts';
import type { StatusWord } from '../ui/status-words.ts';
import type { AgentHere } from './presence-items.ts';

const words = texts(
  {
    thinking: 'Thinking',
    runningTool: (tool: string | null) => (tool === null ? 'Running a tool' : `Running ${tool}`),
    waitingForApproval: 'Waiting for you',
    paused: 'Paused',
    done: 'Idle',
    neverRun: 'Has not worked yet',
    unknown: 'Not known now',
  },
  {
    thinking: 'Réfléchit',
    runningTool: (tool: string | null) => (tool === null ? 'Exécute un outil' : `Exécute ${tool}`),
    waitingForApproval: 'Vous attend',
    paused: 'En pause',
    done: 'Inactif',
    neverRun: 'N’a pas encore travaillé',
    unknown: 'Inconnu pour le moment',
  },
);
export const activityText = words;

/** What an agent is about, as a shape and in words. */
export function activityOf(
  activity: AgentHere['activity'],
  t: (typeof words)['en'],
): { status: StatusWord; label: string } {
  if (activity === null) return { status: 'offline', label: t.unknown };
  switch (activity.state) {
    case 'runningTool':
      return { status: 'running', label: t.runningTool(activity.tool) };
    case 'thinking':
      return { status: 'running', label: t.thinking };
    case 'waitingForApproval':
      return { status: 'awaiting', label: t.waitingForApproval };
    case 'paused':
      return { status: 'paused', label: t.paused };
    default:
      return { status: 'idle', label: t[activity.state] };
  }
}
