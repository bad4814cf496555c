import type { Proposal, validateProposal } from '../../core-wasm/core.ts';
import { hasCode } from '../api/problem.ts';
import { myChanges } from './conflict-merge.ts';
import type { Base, Conflict, Draft } from './draft.ts';

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
  /** Revisions from which this draft has deleted a sub-ticket since. */
  #fuller: Base[] = [];
  /** The draft as it was last found saved; it may differ from its base by the blanks around a text. */
  #saved: Proposal | null = null;
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
    this.#running ??= this.#saveAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
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
    const { base, proposal, conflict } = this.draft.getState();
    const known = conflict?.theirs.revision ?? base.revision;
    if (newest.revision <= known && (kind === 'stale' || conflict?.kind === 'closed')) return;
    const isUnsaved = proposal !== this.#saved && !isSame(proposal, base.proposal);
    if (isUnsaved) this.#oppose(newest, kind);
    else if (newest.revision > base.revision) this.adopt(newest, newest.proposal);
  }

  /** Goes on from a newer revision with `proposal` on it. What others did is no step of undo. */
  adopt(base: Base, proposal: Proposal): void {
    const isSaved = isSame(proposal, base.proposal);
    this.draft.setState({
      ...{ base, proposal: isSaved ? base.proposal : proposal, save: isSaved ? 'saved' : 'unsaved' },
      ...{ conflict: null, failure: null, faults: [] },
    });
    this.draft.temporal.getState().clear();
    this.#fuller = [];
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
    try {
      const revision = older
        ? await this.ports.rollBack(base.revision, older.revision, key)
        : await this.ports.append(base.revision, next, key);
      if (!hasAll(next, base.proposal)) this.#fuller = [...this.#fuller, base];
      this.draft.setState({ base: { revision: base.revision + 1, proposal: next } });
      // A repeated call is answered with the newest revision, which may be somebody else's by now.
      if (revision > base.revision + 1) this.#arrived = { newest: await this.ports.newest(), kind: 'stale' };
      return true;
    } catch (error) {
      if (!hasCode(error, 'stale_revision', 'wrong_status')) throw error;
      this.#oppose(await this.ports.newest(), error.code === 'wrong_status' ? 'closed' : 'stale');
      return false;
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

  /** Sets a newer revision against the edits; one that has all of them already is adopted. */
  #oppose(theirs: Base, kind: 'stale' | 'closed'): void {
    const { base, proposal } = this.draft.getState();
    if (isAllIn(base.proposal, proposal, theirs.proposal)) this.adopt(theirs, theirs.proposal);
    else this.draft.setState({ save: 'unsaved', conflict: { theirs, kind } });
  }

  #keyFor(base: Base, proposal: Proposal): string {
    const json = JSON.stringify(proposal);
    if (this.#intention.json !== json || this.#intention.base !== base.revision)
      this.#intention = { json, base: base.revision, key: this.ports.newKey() };
    return this.#intention.key;
  }
}

const isSame = (a: Proposal, b: Proposal): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Whether a newer revision says by itself all that I changed, what I brought back included. */
function isAllIn(base: Proposal, mine: Proposal, theirs: Proposal): boolean {
  const known = new Set([...base.tickets, ...theirs.tickets].map(({ key }) => key));
  return mine.tickets.every(({ key }) => known.has(key)) && myChanges(base, mine, theirs).length === 0;
}

/** Whether every sub-ticket of `some` is in `all` too. */
function hasAll(all: Proposal, some: Proposal): boolean {
  const keys = new Set(all.tickets.map(({ key }) => key));
  return some.tickets.every(({ key }) => keys.has(key));
}
