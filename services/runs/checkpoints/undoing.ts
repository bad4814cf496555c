import { type Actor, requirePerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { namesOf } from '../prompt/names.ts';
import { agentActor } from '../runs/run.ts';
import { findRow } from '../runs/store.ts';
import { postNotice } from '../steering/notices.ts';
import { checkAtRest, planUndo } from './plan-undo.ts';
import { othersTakenBack, restoreFiles } from './restore-files.ts';
import type { RestoredRepository, UndoRequest, UndoResult } from './schema.ts';
import { readTimeline } from './timeline.ts';
import { beginUndo, endUndo, failUndo, type Undo, unfinishedUndo, unfinishedUndos } from './undo-store.ts';
import { undoEntry, undoNotice } from './undo-words.ts';

/**
 * Takes back what runs did. What an undo is to do is committed first, and keeps its conversation at rest; each step after
 * that can be done again, so that one which a crash cut off is finished by asking for it again, or by the next start.
 */
export class Undoing {
  readonly #underWay = new Map<string, Promise<UndoResult>>();

  constructor(
    private readonly deps: RunsDeps,
    private readonly onEnded: (workspaceId: string) => void,
  ) {}

  /** @throws Fault people_only, not_found, wrong_status, invalid_request, cannot_undo; git_failed, disk_full of the runner */
  async undo(workspaceId: string, runId: string, request: UndoRequest, by: Actor): Promise<UndoResult> {
    requirePerson(by, 'take back what a run did');
    const database = await this.deps.databases.open(workspaceId);
    const row = await findRow(database, runId);
    const unfinished = await unfinishedUndo(database, row);
    if (unfinished !== null) {
      if (isSame(unfinished, runId, request)) return this.#finish(workspaceId, unfinished);
      throw alreadyBegun(unfinished);
    }
    const undo = await planUndo(database, row, request, by, this.deps.clock());
    if (!(await beginUndo(database, undo))) {
      await checkAtRest(database, await findRow(database, runId), by);
      throw new Fault(
        'wrong_status',
        `Something else of run ${runId} was taken back just now; look and try again.`,
      );
    }
    return this.#finish(workspaceId, undo);
  }

  /** Finishes what a crash cut off; what cannot be finished now is logged, and waits to be asked for again. */
  async finishAll(): Promise<void> {
    for (const workspaceId of this.deps.databases.list()) {
      try {
        for (const undo of await unfinishedUndos(await this.deps.databases.open(workspaceId)))
          await this.#finish(workspaceId, undo);
      } catch (error) {
        this.deps.log.error({ err: error, workspaceId }, 'an undo could not be finished');
      }
    }
  }

  /** Resolves when no undo of this process is under way. */
  async atRest(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  #finish(workspaceId: string, undo: Undo): Promise<UndoResult> {
    const known = this.#underWay.get(undo.id);
    if (known) return known;
    const finishing = this.#carryOut(workspaceId, undo).finally(() => this.#underWay.delete(undo.id));
    this.#underWay.set(undo.id, finishing);
    return finishing;
  }

  async #carryOut(workspaceId: string, undo: Undo): Promise<UndoResult> {
    const files = await restoreFiles(this.deps, workspaceId, undo).catch(async (error: unknown) => {
      if (error instanceof Fault && !error.retryable) await this.#giveUp(workspaceId, undo, error);
      throw error;
    });
    if (undo.talk === 'rewind')
      await this.deps.spaces.supersedeOfRun(workspaceId, undo.runId, { planExit: false });
    const conversation = await this.#end(workspaceId, undo, files);
    this.onEnded(workspaceId);
    await this.#tell(workspaceId, undo, files);
    const database = await this.deps.databases.open(workspaceId);
    const { id, runId, what } = undo;
    return { id, runId, what, files, conversation, alsoTakesBack: await othersTakenBack(database, undo) };
  }

  async #giveUp(workspaceId: string, undo: Undo, { message }: Fault): Promise<void> {
    const database = await this.deps.databases.open(workspaceId);
    await failUndo(database, undo, message, this.#event(undo, 'run.undoFailed', { reason: message }));
    this.onEnded(workspaceId);
  }

  async #end(
    workspaceId: string,
    undo: Undo,
    files: readonly RestoredRepository[],
  ): Promise<UndoResult['conversation']> {
    const database = await this.deps.databases.open(workspaceId);
    const counting = (await readTimeline(database, undo.runId)).filter(({ counts }) => counts);
    const turns = undo.turn ?? counting.length;
    const isRewound = undo.talk === 'rewind' && turns < counting.length;
    const told = undo.talk === 'forget' ? [] : [undoEntry(undo, files)];
    const entries = [...(isRewound ? [{ kind: 'rewind', turns } as const] : []), ...told];
    const changed = files.reduce((sum, { total }) => sum + total, 0);
    const event = this.#event(undo, 'run.undone', { changedFiles: changed });
    const written = await endUndo(database, undo, entries, event);
    if (undo.talk === 'forget') return 'forgotten';
    return isRewound && written === entries.length ? 'rewound' : 'unchanged';
  }

  #event({ id, runId, what, turn, checkpointId, by }: Undo, type: string, more: Record<string, unknown>) {
    const data = { undoId: id, what, turn: turn ?? null, checkpointId: checkpointId ?? null, ...more };
    return { at: this.deps.clock(), actor: by, type, subject: runId, data };
  }

  /** The undo is done; that nobody could be told of it in the conversation changes nothing. */
  async #tell(workspaceId: string, undo: Undo, files: readonly RestoredRepository[]): Promise<void> {
    const { conversationId, runId, id } = undo;
    if (conversationId === null) return;
    const { agentId } = await findRow(await this.deps.databases.open(workspaceId), runId);
    const post = async () => {
      const nameOf = await namesOf(this.deps.spaces, workspaceId);
      const notice = { body: undoNotice(undo, files, nameOf), data: { undoId: id }, key: `${id}/notice` };
      await postNotice(this.deps, workspaceId, agentActor(agentId), conversationId, notice);
    };
    await post().catch((error: unknown) =>
      this.deps.log.warn({ err: error, undoId: id }, 'an undo could not be told of'),
    );
  }
}

function isSame(undo: Undo, runId: string, { turn, checkpointId, what }: UndoRequest): boolean {
  return (
    undo.runId === runId && undo.turn === turn && undo.checkpointId === checkpointId && undo.what === what
  );
}

function alreadyBegun({ runId, turn, checkpointId, what }: Undo): Fault {
  const to = checkpointId === undefined ? `turn ${turn}` : `checkpoint ${checkpointId}`;
  return new Fault(
    'wrong_status',
    `An undo of run ${runId} (${what}, to ${to}) in this conversation has not come to its end; ask for the same again to finish it.`,
  );
}
