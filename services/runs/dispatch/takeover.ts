import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { namesOf } from '../prompt/names.ts';
import type { Run, RunRow } from '../runs/schema.ts';
import { findRow, findRun } from '../runs/store.ts';
import { handBack, liveOfTree, recordTakeover, requestTakeover } from '../runs/takeover.ts';
import { rootOf } from '../runs/tree.ts';
import { handbackEntry } from '../steering/handback-entry.ts';
import { changesSince, lookAt } from '../steering/worktree-changes.ts';
import { listWorktrees } from '../worktrees/store.ts';
import { heldFault, type RunControl, wrongPhase } from './run-control.ts';

/** How long a request waits for the call in flight. */
const WAIT_MS = 20_000;
const LOOK_MS = 200;

/** `pausing`: it is reserved, and the call in flight is not over; the same request again waits on. */
export interface TakenOver {
  state: 'held' | 'pausing';
  run: Run;
  worktrees: { repository: string; path: string; branch: string }[];
}

/** Hands the work of a run's tree, with its conversation and working trees, to a person and back. */
export class Takeovers {
  readonly #stopping = new AbortController();

  constructor(
    private readonly deps: RunsDeps,
    private readonly control: RunControl,
  ) {}

  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Pauses the tree, waits for the call in flight, and keeps what the working trees are then. The same person may ask again.
   * @throws Fault wrong_status for a run that has not begun, has ended, or is held by somebody else, and where another run is
   * at work in the conversation
   */
  async take(workspaceId: string, runId: string, by: Actor): Promise<TakenOver> {
    const open = () => this.deps.databases.open(workspaceId);
    const id = rootOf(await findRow(await open(), runId));
    const live = await requestTakeover(await open(), { runId: id, by, at: this.deps.clock() });
    if (live === null) throw await this.#refusal(await open(), id);
    this.control.askToPause(live);
    const isHeld = await this.#atRest(workspaceId, id);
    const row = await findRow(await open(), id);
    if (row.takenOverBy !== by) throw wrongPhase(row, 'at work');
    if (isHeld && row.takenOver === null) await this.#record(workspaceId, await open(), row, by);
    const found = row.conversationId === null ? [] : await listWorktrees(await open(), row.conversationId);
    const worktrees = found.map(({ repository, path, branch }) => ({ repository, path, branch }));
    return { state: isHeld ? 'held' : 'pausing', run: await findRun(await open(), id), worktrees };
  }

  /** Whether no loop of the tree is left within the time that a request waits. */
  async #atRest(workspaceId: string, id: string): Promise<boolean> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const woken = this.deps.databases.wakes.wait(workspaceId, LOOK_MS, this.#stopping.signal);
      const database = await this.deps.databases.open(workspaceId);
      const { phase } = await findRow(database, id);
      if (phase === 'ended') return false;
      if (phase === 'paused' && (await liveOfTree(database, id)).length === 0) return true;
      if (performance.now() > giveUpAt || this.#stopping.signal.aborted) return false;
      await woken;
    }
  }

  async #record(workspaceId: string, database: Database, row: RunRow, by: Actor): Promise<void> {
    const found = row.conversationId === null ? [] : await listWorktrees(database, row.conversationId);
    const worktrees = await Promise.all(
      found.map((worktree) => lookAt(this.deps.runner, workspaceId, worktree)),
    );
    await recordTakeover(database, row, by, { at: this.deps.clock(), worktrees });
  }

  async #refusal(database: Database, id: string): Promise<Fault> {
    const row = await findRow(database, id);
    if (row.phase === 'ended' || row.startedAt === null || row.cancelRequested)
      return wrongPhase(row, 'at work');
    if (row.takenOverBy !== null) return heldFault(row);
    const [other] = await database.read({
      sql: `SELECT id, takenOverBy FROM runs WHERE conversationId = ? AND id <> ? AND phase <> 'ended'
        AND (phase = 'live' OR takenOverBy IS NOT NULL)`,
      args: [row.conversationId, id],
    });
    const message = `Run ${String(other?.id ?? 'of another agent')} is at work in the conversation of run ${id}, or is taken over. Wait for it, or pause it first.`;
    return new Fault('wrong_status', message);
  }

  /**
   * Gives the work back: the agent reads who held it, the note, and what changed, and goes on with all below it.
   * @throws Fault wrong_status when it is not held; forbidden for anybody but the holder and the workspace's owner
   */
  async giveBack(workspaceId: string, runId: string, note: string | null, by: Actor): Promise<Run> {
    const open = () => this.deps.databases.open(workspaceId);
    const run = await findRow(await open(), rootOf(await findRow(await open(), runId)));
    const holder = run.takenOverBy;
    if (holder === null) throw wrongPhase(run, 'taken over');
    if (by !== holder && !(await this.deps.spaces.isOwner(by))) {
      const message = `Run ${run.id} is held by ${holder}, who alone may hand it back, or the owner of the workspace.`;
      throw new Fault('forbidden', message);
    }
    const at = this.deps.clock();
    const changes = await this.#changes(workspaceId, run);
    const nameOf = await namesOf(this.deps.spaces, workspaceId);
    const giver = by === holder ? null : nameOf(by);
    const words = { holder: nameOf(holder), giver, takeover: run.takenOver, changes, note, at };
    const entry = handbackEntry(words, this.deps.secrets ?? []);
    if (!(await handBack(await open(), { run, by, entry, at }))) {
      throw new Fault(
        'wrong_status',
        `Run ${run.id} is not at rest in the hands of ${holder}. Try again in a moment.`,
      );
    }
    this.control.letGoOn(workspaceId, []);
    return findRun(await open(), run.id);
  }

  #changes(workspaceId: string, { conversationId, takenOver }: RunRow): Promise<string[]> {
    if (conversationId === null) return Promise.resolve([]);
    const { runner } = this.deps;
    const held = takenOver?.worktrees ?? [];
    return Promise.all(held.map((before) => changesSince(runner, { workspaceId, conversationId }, before)));
  }
}
