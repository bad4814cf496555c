import type { Proposal, validateProposal } from '../../core-wasm/core.ts';
import { hasCode } from '../api/problem.ts';
import { asTyped, choiceOfAll, type MyChange, myChanges, reapply } from './conflict-merge.ts';
import type { Base, Conflict, Draft } from './draft.ts';
import { rebaseHistory } from './draft-history.ts';

type Checked = ReturnType<typeof validateProposal>;

export interface SaverPorts {
  validate(proposal: Proposal): Checked | Promise<Checked>;
  /** Appends a revision and answers its number. The same key gives the same revision. */
  append(baseRevision: number, proposal: Proposal, key: string): Promise<number>;
  /** Appends an older revision's proposal as the newest one and answers its number. */
  rollBack(baseRevision: number, to: number, key: string): Promise<number>;
  newest(): Promise<Base>;
  newKey(): string;
}

/** Edits rest so long before they become a revision, so that a revision is a thought and not a letter. */
const REST_MS = 2_500;

/** Saves a draft as revisions, one at a time, each on the one before; never over what it has not seen. */
export class DraftSaver {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<boolean> | null = null;
  #arrived: { newest: Base; kind: Conflict['kind'] } | null = null;
  /** The draft as it was last found saved. */
  #saved: Proposal | null = null;
  /** Revisions from which this draft has deleted a sub-ticket since. */
  #fuller: Base[] = [];
  /** The same content on the same revision is the same intention, however often it is sent. */
  #intention = { json: '', base: 0, key: '' };

  constructor(
    private readonly draft: Draft,
    private readonly ports: SaverPorts,
  ) {}

  /** Saves once the edits have rested. */
  schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), REST_MS);
  }

  /** Saves what is unsaved. False when something has to be seen to first: a fault, a conflict, a server out of reach. */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    // Whoever asks while it is being saved may have edited after the last look at it.
    if (this.#running)
      return this.#running.then((isDone) => (isDone && this.#isEdited() ? this.flush() : isDone));
    this.#running = this.#saveAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  #isEdited(): boolean {
    return this.draft.getState().proposal !== this.#saved;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Takes note of the newest revision: adopts it, or sets it against edits that are not saved. */
  arrive(newest: Base, kind: Conflict['kind']): void {
    if (this.#running) {
      this.#arrived = { newest, kind };
      return;
    }
    const { base, conflict } = this.draft.getState();
    const known = conflict?.theirs.revision ?? base.revision;
    if (newest.revision <= known && (kind === 'stale' || conflict?.kind === 'closed')) return;
    this.#meet(newest, kind);
  }

  /**
   * Goes on from a newer revision with `proposal` on it. Undo goes on over my own edits: what others did is no step of it, and
   * stays whatever is undone.
   */
  adopt(base: Base, proposal: Proposal): void {
    const { base: before } = this.draft.getState();
    const isSaved = isAllIn(proposal, base.proposal);
    const history = this.draft.temporal.getState();
    history.pause();
    this.draft.setState({
      ...{ base, proposal, save: isSaved ? 'saved' : 'unsaved' },
      ...{ conflict: null, failure: null, faults: [], sent: [] },
    });
    history.resume();
    rebaseHistory(this.draft, before.proposal, base.proposal);
    if (!isSaved) this.schedule();
  }

  async #saveAll(): Promise<boolean> {
    const done = await this.#saveRound().catch((failure: unknown) => {
      this.draft.setState({ save: 'failed', failure });
      return false;
    });
    const arrived = this.#arrived;
    this.#arrived = null;
    if (arrived) queueMicrotask(() => this.arrive(arrived.newest, arrived.kind));
    return done;
  }

  async #saveRound(): Promise<boolean> {
    for (;;) {
      const { base, proposal, conflict } = this.draft.getState();
      if (conflict) return false;
      const checked = await this.ports.validate(proposal);
      // Edited meanwhile: whoever asked for that to be saved was given this very run.
      if (this.draft.getState().proposal !== proposal) continue;
      if (!checked.ok) {
        this.draft.setState({ save: 'unsaved', faults: checked.faults });
        return false;
      }
      if (isSame(checked.proposal, base.proposal)) {
        this.#saved = proposal;
        this.draft.setState({ save: 'saved', faults: [], failure: null });
        return true;
      }
      this.draft.setState({ save: 'saving', faults: [], failure: null });
      if (!(await this.#append(base, checked.proposal))) return false;
    }
  }

  async #append(base: Base, proposal: Proposal): Promise<boolean> {
    const older = this.#lacking(base.proposal, proposal);
    const next = older?.proposal ?? proposal;
    const key = this.#keyFor(base, next);
    const { sent } = this.draft.getState();
    if (!sent.some((one) => isSame(one, next))) this.draft.setState({ sent: [...sent, next] });
    try {
      const revision = older
        ? await this.ports.rollBack(base.revision, older.revision, key)
        : await this.ports.append(base.revision, next, key);
      if (!hasAll(next, base.proposal)) this.#fuller = [...this.#fuller, base];
      this.draft.setState({ base: { revision: base.revision + 1, proposal: next }, sent: [] });
      // A repeated call is answered with the newest revision, which may be somebody else's by now.
      if (revision > base.revision + 1) this.#arrived = { newest: await this.ports.newest(), kind: 'stale' };
      return true;
    } catch (error) {
      if (!hasCode(error, 'stale_revision', 'wrong_status')) throw error;
      this.#meet(await this.ports.newest(), error.code === 'wrong_status' ? 'closed' : 'stale');
      return this.draft.getState().conflict === null;
    }
  }

  /**
   * An edit cannot add a sub-ticket, so one that was deleted and undone comes back by restoring the last revision that has it;
   * what else was edited follows in the next one.
   */
  #lacking(base: Proposal, wanted: Proposal): Base | null {
    if (hasAll(base, wanted)) return null;
    return this.#fuller.findLast((older) => hasAll(older.proposal, wanted)) ?? null;
  }

  /**
   * Brings a newer revision and my edits together: what only one of us changed is as they left it. Where both of us changed the
   * same field, and where nothing can be changed any more, it stands against my edits until I have decided.
   */
  #meet(theirs: Base, kind: Conflict['kind']): void {
    const before = this.draft.getState();
    const isNext = theirs.revision === before.base.revision + 1;
    const isMine = isNext && before.sent.some((one) => isAllIn(one, theirs.proposal));
    // The answer was lost on its way, and the work was done.
    if (isMine) this.draft.setState({ base: theirs, sent: [], save: 'unsaved', failure: null });
    const { base, proposal, merged } = this.draft.getState();
    const changes = myChanges(base.proposal, proposal, theirs.proposal);
    if (changes.some(({ clash }) => kind === 'closed' || clash !== 'free')) {
      this.draft.setState({ save: 'unsaved', conflict: { theirs, kind } });
    } else if (theirs.revision > base.revision) {
      this.adopt(theirs, withMine(theirs.proposal, proposal, changes));
      if (changes.length > 0) this.draft.setState({ merged: [...merged, ...between(base, theirs)] });
    } else if (isMine) this.schedule();
  }

  #keyFor(base: Base, proposal: Proposal): string {
    const json = JSON.stringify(proposal);
    if (this.#intention.json !== json || this.#intention.base !== base.revision)
      this.#intention = { json, base: base.revision, key: this.ports.newKey() };
    return this.#intention.key;
  }
}

const isSame = (a: Proposal, b: Proposal): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Whether a revision says by itself all that I have. */
const isAllIn = (mine: Proposal, theirs: Proposal): boolean => myChanges(theirs, mine, theirs).length === 0;

const withMine = (theirs: Proposal, mine: Proposal, changes: readonly MyChange[]): Proposal =>
  asTyped(reapply(theirs, changes, choiceOfAll(changes, 'mine')), mine);

/** Numbers of the revisions after `base` up to `theirs`. */
const between = (base: Base, theirs: Base): number[] =>
  Array.from({ length: theirs.revision - base.revision }, (_, i) => base.revision + 1 + i);

/** Whether every sub-ticket of `some` is in `all` too. */
function hasAll(all: Proposal, some: Proposal): boolean {
  const keys = new Set(all.tickets.map(({ key }) => key));
  return some.tickets.every(({ key }) => keys.has(key));
}
