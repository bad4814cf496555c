import type { Run } from '../../services/runs/runs/schema.ts';
import type { StatusWord } from '../ui/status-words.ts';

const STATUS: Record<Run['status'], StatusWord> = {
  queued: 'pending',
  running: 'running',
  paused: 'paused',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** A run of a list in the words of any status: one that waits for a person says so. */
export function statusOf({ status, waitingFor }: Pick<Run, 'status' | 'waitingFor'>): StatusWord {
  if (status === 'running' && waitingFor !== null && !waitingFor.startsWith('run_')) return 'awaiting';
  return STATUS[status];
}
