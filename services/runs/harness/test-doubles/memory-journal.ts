import type { Admission, AnswerEntry, AppendLabel, Entry, RunJournal } from '../journal.ts';

/** The process ended here, as far as the run can tell. */
export class Killed extends Error {}

export interface MemoryJournalOptions {
  entries?: readonly Entry[];
  /** The journal fails at every commit after this many. */
  commits?: number;
  capMicros?: number;
  wrapUpMicros?: number;
  /** What people write while it runs: each stands here until the run takes it. */
  inbox?: string[];
}

export interface MemoryJournal extends RunJournal {
  entries: Entry[];
  labels: string[];
  spentMicros: number;
  /** Upper bounds as they were asked for. */
  reservations: (number | null)[];
}

/** A run's journal in memory with a budget of its own, which can fail at any commit. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): MemoryJournal {
  let commitsLeft = options.commits ?? Number.POSITIVE_INFINITY;
  const journal: MemoryJournal = {
    entries: structuredClone([...(options.entries ?? [])]),
    labels: [],
    spentMicros: 0,
    reservations: [],
    load: () => Promise.resolve(structuredClone(journal.entries)),
    append: (label, entry) => commit(label, entry),
    reserve: (upperBoundMicros) => Promise.resolve(reserve(upperBoundMicros)),
    answer: (entry) => answer(entry),
    compact: async (entry) => {
      await commit('run.compact', entry);
      journal.spentMicros += entry.costMicros ?? 0;
    },
    takeMessages: () => takeMessages(),
  };

  async function commit(label: AppendLabel | 'run.answer' | 'run.compact', entry: Entry): Promise<void> {
    if (commitsLeft <= 0) throw new Killed(`killed before ${label}`);
    commitsLeft -= 1;
    journal.labels.push(label);
    journal.entries.push(structuredClone(entry));
  }

  async function takeMessages(): Promise<boolean> {
    const waiting = options.inbox ?? [];
    const texts = [...waiting];
    for (const text of texts) {
      await commit('run.note', { kind: 'user', cause: 'message', text });
      waiting.shift();
    }
    return texts.length > 0;
  }

  function reserve(upperBoundMicros: number | null): Admission {
    journal.reservations.push(upperBoundMicros);
    const { capMicros, wrapUpMicros } = options;
    if (capMicros === undefined) return { admitted: true, wrapUp: null };
    if (upperBoundMicros === null) return { admitted: false, reason: 'price_unknown', message: 'No price.' };
    if (journal.spentMicros + upperBoundMicros > capMicros) {
      return { admitted: false, reason: 'cap', message: 'The budget is used up.' };
    }
    const isNearlyUsed = journal.spentMicros >= (wrapUpMicros ?? Number.POSITIVE_INFINITY);
    const wasTold = journal.entries.some((entry) => entry.kind === 'user' && entry.cause === 'budget');
    return { admitted: true, wrapUp: isNearlyUsed && !wasTold ? 'The budget is nearly used.' : null };
  }

  async function answer(entry: AnswerEntry): Promise<void> {
    const isKnown = journal.entries.some((old) => old.kind === 'answer' && old.messageId === entry.messageId);
    if (isKnown) return;
    await commit('run.answer', entry);
    journal.spentMicros += entry.costMicros ?? 0;
  }

  return journal;
}
