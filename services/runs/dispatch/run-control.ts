import { type Actor, actorId } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { RunsDeps } from '../deps.ts';
import type { NewMessage } from '../peers/spaces-port.ts';
import { requestPause, resumeRun } from '../runs/pausing.ts';
import type { Run, RunRow } from '../runs/schema.ts';
import { findRow, findRun } from '../runs/store.ts';
import { rootOf } from '../runs/tree.ts';
import { steerRun } from '../steering/store.ts';
import type { Executor } from './executor.ts';

/** What people do to runs at work: tell them something, pause them, let them go on. */
export class RunControl {
  constructor(
    private readonly deps: RunsDeps,
    private readonly executor: Executor,
  ) {}

  /**
   * Pauses the run and all below it: a live one after the call it is making, the others at once. Asking again changes nothing.
   * @throws Fault wrong_status for a run that has ended or is being cancelled
   */
  async pause(workspaceId: string, runId: string, by: Actor): Promise<Run> {
    const database = await this.deps.databases.open(workspaceId);
    const row = await findRow(database, runId);
    if (row.phase === 'ended' || row.cancelRequested) throw wrongPhase(row, 'running');
    const { live } = await requestPause(database, { runId, by, at: this.deps.clock() });
    this.askToPause(live);
    return findRun(database, runId);
  }

  /** Tells the loops of this process; what another process holds, or is about to take, finds it in the row. */
  askToPause(runIds: readonly string[]): void {
    for (const id of runIds) {
      const live = this.executor.liveOf(id);
      if (live) live.pauseRequested = true;
    }
  }

  /**
   * Lets the run go on with everything below it that is paused.
   * @throws Fault wrong_status when nothing of it is paused, or a person has taken it over
   */
  async resume(workspaceId: string, runId: string, by: Actor): Promise<Run> {
    const database = await this.deps.databases.open(workspaceId);
    const row = await findRow(database, runId);
    const resumed = await resumeRun(database, { runId, by, at: this.deps.clock() });
    if (resumed.length === 0) throw await resumeRefusal(database, row);
    this.letGoOn(workspaceId, resumed);
    return findRun(database, runId);
  }

  letGoOn(workspaceId: string, runIds: readonly string[]): void {
    for (const id of runIds) {
      const live = this.executor.liveOf(id);
      if (live) live.pauseRequested = false;
    }
    void this.executor.pump(workspaceId);
  }

  /**
   * Tells something to a run at work, or to the root of its tree: as a message in its conversation, so that it is on record.
   * @param key the same again is the same message
   * @returns the run that is told, and the message
   * @throws Fault wrong_status for a run that has not begun or has ended
   */
  async steer(
    workspaceId: string,
    runId: string,
    { text, key }: { text: string; key?: string | undefined },
    by: Actor,
  ): Promise<{ runId: string; messageId: string }> {
    const database = await this.deps.databases.open(workspaceId);
    const root = await findRow(database, rootOf(await findRow(database, runId)));
    if (root.startedAt === null || root.phase === 'ended' || root.cancelRequested)
      throw wrongPhase(root, 'at work');
    const { id, agentId, conversationId } = root;
    const own = `${id}/steer/${key ?? newId('key')}`;
    if (conversationId !== null) {
      const message: NewMessage = {
        kind: 'text',
        body: text,
        data: { runId: id },
        wake: [agentId],
        key: own,
      };
      const posted = await this.deps.spaces.postMessage(by, workspaceId, conversationId, message);
      return { runId: id, messageId: posted.id };
    }
    const message = { messageId: own, agentId, author: by, body: text, at: this.deps.clock() };
    if (!(await steerRun(database, message, id))) throw wrongPhase(await findRow(database, id), 'at work');
    return { runId: id, messageId: own };
  }
}

async function resumeRefusal(database: Database, row: RunRow): Promise<Fault> {
  const parent = row.parentRunId === null ? null : await findRow(database, row.parentRunId);
  if (row.phase !== 'paused') return wrongPhase(row, 'paused');
  if (!parent?.pauseRequestedAt) return heldFault(row);
  const message = `Run ${row.id} works for run ${parent.id}, which is paused: let that one go on, and this goes on with it.`;
  return new Fault('wrong_status', message);
}

export function wrongPhase({ id, phase, status, startedAt }: RunRow, wanted: string): Fault {
  const state = phase === 'waiting' ? 'waiting' : status;
  const begun = startedAt === null && phase === 'queued' ? ' and has not begun' : '';
  return new Fault('wrong_status', `Run ${id} is ${state}${begun}, not ${wanted}.`);
}

/** A paused run does not go on while somebody holds its conversation, nor by itself when a person has paused it. */
export function heldFault({ id, takenOverBy, pauseRequestedBy }: RunRow): Fault {
  const who = takenOverBy === null ? 'A person' : actorId(takenOverBy);
  if (takenOverBy === null && pauseRequestedBy !== null) {
    const message = `Run ${id} was paused by ${pauseRequestedBy}, or its conversation is taken over; a person lets it go on.`;
    return new Fault('wrong_status', message);
  }
  return new Fault(
    'wrong_status',
    `${who} has taken over the work of run ${id} or of its conversation; it goes on when that is handed back.`,
  );
}
