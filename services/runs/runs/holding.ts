import type { Statement } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';

/** A run as one process holds it: what it writes counts only while no later epoch has taken the run over. */
export interface Holding {
  runId: string;
  epoch: number;
}

/** The condition that every write of a run's loop carries. */
export function holds({ runId, epoch }: Holding): Statement {
  return {
    sql: `EXISTS (SELECT 1 FROM runs WHERE id = ? AND phase = 'live' AND epoch = ?)`,
    args: [runId, epoch],
  };
}

export function lostHold(runId: string): Fault {
  return new Fault('conflict', `Run ${runId} has ended or is held by another process; nothing was written.`);
}
