import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { validateProposal } from '../../core-wasm/core.ts';
import { ApiProblem } from '../api/problem.ts';
import { type Base, createDraft, draftActions } from './draft.ts';
import { editTicket } from './draft-edits.ts';
import { proposal, ticket } from './draft-fixture.ts';
import { DraftSaver } from './draft-saver.ts';

const first: Base = { revision: 1, proposal: proposal([ticket('a'), ticket('b')]) };

/** A server with one plan that others can change too. */
function world() {
  const server = {
    ...{ newest: first, all: new Map([[1, first.proposal]]), keys: [] as string[] },
    ...{ fail: null as unknown, status: 'proposed', during: null as (() => void) | null },
  };
  const byKey = new Map<string, number>();
  const draft = createDraft(first);
  let key = 0;
  const saver = new DraftSaver(draft, {
    validate: validateProposal,
    newest: async () => server.newest,
    newKey: () => `k${++key}`,
    async rollBack(baseRevision, to) {
      if (baseRevision !== server.newest.revision) throw problem('stale_revision');
      server.newest = { revision: baseRevision + 1, proposal: server.all.get(to)! };
      return baseRevision + 1;
    },
    async append(baseRevision, edited, intention) {
      server.keys.push(intention);
      server.during?.();
      server.during = null;
      const done = byKey.get(intention);
      if (done === undefined) {
        if (server.status !== 'proposed') throw problem('wrong_status');
        if (baseRevision !== server.newest.revision) throw problem('stale_revision');
        const known = new Set(server.newest.proposal.tickets.map((one) => one.key));
        if (edited.tickets.some((one) => !known.has(one.key))) throw problem('invalid_proposal');
        server.all.set(baseRevision, server.newest.proposal);
        server.newest = { revision: baseRevision + 1, proposal: edited };
        byKey.set(intention, baseRevision + 1);
      }
      // An answer that is lost on its way, after the work was done.
      if (server.fail) throw server.fail;
      return server.newest.revision;
    },
  });
  const actions = draftActions(draft, () => undefined);
  const others = (title: string) => {
    const { revision, proposal: at } = server.newest;
    server.all.set(revision, at);
    server.newest = { revision: revision + 1, proposal: editTicket(at, 'b', { title }) };
  };
  return { server, draft, saver, actions, others };
}

const titlesOf = ({ tickets }: Base['proposal']): string[] => tickets.map(({ title }) => title);
const problem = (code: string) => new ApiProblem(409, code, code, {}, false);

describe('saving', () => {
  test('makes one revision of many letters and none of nothing', async () => {
    const { server, draft, saver, actions } = world();
    expect(await saver.flush()).toBe(true);
    for (const title of ['T', 'Ti', 'Tit ']) actions.edit('a', { title });
    expect(draft.getState().save).toBe('unsaved');
    expect(await saver.flush()).toBe(true);
    expect(server.keys).toHaveLength(1);
    expect(server.newest.proposal.tickets[0]?.title).toBe('Tit');
    // What is typed stays as typed; only what is saved is trimmed.
    expect(draft.getState()).toMatchObject({ save: 'saved', base: { revision: 2 } });
    expect(draft.getState().proposal.tickets[0]?.title).toBe('Tit ');
  });

  test('takes up what was typed while it was on its way', async () => {
    const { server, saver, actions } = world();
    actions.edit('a', { title: 'One' });
    server.during = () => actions.edit('a', { title: 'Two' });
    expect(await saver.flush()).toBe(true);
    expect(server.newest).toMatchObject({ revision: 3 });
    expect(server.newest.proposal.tickets[0]?.title).toBe('Two');
  });

  test('takes up what was typed while it was looked at', async () => {
    const { server, saver, actions } = world();
    const saved = saver.flush();
    actions.edit('a', { title: 'Typed' });
    expect(await Promise.all([saved, saver.flush()])).toEqual([true, true]);
    expect(server.newest.proposal.tickets[0]?.title).toBe('Typed');
  });

  test('is refused by the core first, with the path of the fault', async () => {
    const { server, draft, saver, actions } = world();
    actions.edit('a', { title: ' ' });
    expect(await saver.flush()).toBe(false);
    expect(draft.getState().faults[0]?.path).toBe('tickets[0].title');
    expect(server.keys).toEqual([]);
  });

  test('that fails is said and repeated with the same key, so that it happens once', async () => {
    const { server, draft, saver, actions } = world();
    actions.edit('a', { title: 'Kept' });
    server.fail = new Error('the answer was lost');
    expect(await saver.flush()).toBe(false);
    expect(draft.getState()).toMatchObject({ save: 'failed', failure: { message: 'the answer was lost' } });
    server.fail = null;
    expect(await saver.flush()).toBe(true);
    expect(new Set(server.keys).size).toBe(1);
    expect(server.newest.revision).toBe(2);
  });
});

describe('a newer revision', () => {
  test('is adopted where nothing is unsaved, and undo does not undo it', () => {
    const { draft, saver, actions, server, others } = world();
    actions.edit('a', { title: 'x' });
    actions.undo();
    others('Theirs');
    saver.arrive(server.newest, 'stale');
    expect(draft.getState().proposal.tickets[1]?.title).toBe('Theirs');
    expect(draft.temporal.getState().pastStates).toEqual([]);
    actions.redo();
    expect(titlesOf(draft.getState().proposal)).toEqual(['x', 'Theirs']);
  });

  test('stands against unsaved edits, whether it is told or found out by saving', async () => {
    const { draft, saver, actions, server, others } = world();
    actions.edit('b', { title: 'Mine' });
    others('Theirs');
    expect(await saver.flush()).toBe(false);
    expect(draft.getState()).toMatchObject({
      save: 'unsaved',
      conflict: { kind: 'stale', theirs: { revision: 2 } },
    });
    expect(draft.getState().proposal.tickets[1]?.title).toBe('Mine');
    others('Theirs again');
    saver.arrive(server.newest, 'stale');
    expect(draft.getState().conflict?.theirs.revision).toBe(3);
    saver.adopt(server.newest, editTicket(server.newest.proposal, 'b', { title: 'Mine' }));
    expect(await saver.flush()).toBe(true);
    expect(server.newest.proposal.tickets.map(({ title }) => title)).toEqual(['Title a', 'Mine']);
  });

  test('of other fields is put together with mine by itself, told or found out, and said', async () => {
    const { draft, saver, actions, server, others } = world();
    actions.edit('a', { title: 'Mine ' });
    others('Theirs');
    saver.arrive(server.newest, 'stale');
    expect(titlesOf(draft.getState().proposal)).toEqual(['Mine ', 'Theirs']);
    others('Theirs again');
    expect(await saver.flush()).toBe(true);
    expect(draft.getState()).toMatchObject({ conflict: null, save: 'saved', merged: [2, 3] });
    expect(titlesOf(draft.getState().proposal)).toEqual(['Mine ', 'Theirs again']);
    expect(titlesOf(server.newest.proposal)).toEqual(['Mine', 'Theirs again']);
  });

  test('leaves a text as it is typed, blanks and half a word included', async () => {
    const { draft, saver, actions, server, others } = world();
    actions.edit('a', { title: 'Typing ' });
    expect(await saver.flush()).toBe(true);
    others('Theirs');
    saver.arrive(server.newest, 'stale');
    expect(titlesOf(draft.getState().proposal)).toEqual(['Typing ', 'Theirs']);
    expect(draft.getState().save).toBe('saved');
  });

  test('that is my own, whose answer was lost while I typed on, is no conflict', async () => {
    const { draft, saver, actions, server } = world();
    actions.edit('a', { title: 'Ha' });
    server.fail = new Error('the answer was lost');
    expect(await saver.flush()).toBe(false);
    actions.edit('a', { title: 'Half of it' });
    server.fail = null;
    expect(await saver.flush()).toBe(true);
    expect(draft.getState()).toMatchObject({ conflict: null, merged: [], base: { revision: 3 } });
    expect(titlesOf(server.newest.proposal)).toEqual(['Half of it', 'Title b']);
  });

  test('that has my edits already is no conflict, nor are blanks that saving took away', async () => {
    const { draft, saver, actions, server, others } = world();
    actions.edit('b', { title: 'Both of us' });
    others('Both of us');
    expect(await saver.flush()).toBe(true);
    expect(draft.getState()).toMatchObject({ save: 'saved', conflict: null, base: { revision: 2 } });
    actions.edit('a', { title: 'Typing ' });
    expect(await saver.flush()).toBe(true);
    others('Theirs');
    saver.arrive(server.newest, 'stale');
    expect(draft.getState()).toMatchObject({ save: 'saved', conflict: null, base: { revision: 4 } });
  });

  test('that arrives while saving is looked at afterwards', async () => {
    const { draft, saver, actions, server } = world();
    actions.edit('a', { title: 'Mine' });
    const saved = saver.flush();
    saver.arrive({ revision: 2, proposal: server.newest.proposal }, 'stale');
    expect(await saved).toBe(true);
    await Promise.resolve();
    expect(draft.getState()).toMatchObject({ conflict: null, save: 'saved', base: { revision: 2 } });
  });
});

test('edits of a plan that was decided meanwhile are kept and said to be too late', async () => {
  const { draft, saver, actions, server } = world();
  actions.edit('a', { title: 'Late' });
  server.status = 'executing';
  expect(await saver.flush()).toBe(false);
  expect(draft.getState().conflict?.kind).toBe('closed');
  expect(draft.getState().proposal.tickets[0]?.title).toBe('Late');
});

test('the last sub-ticket stays, and edits that are given up come back by undo', () => {
  const { draft, actions } = world();
  actions.remove('a');
  actions.remove('b');
  expect(draft.getState().proposal.tickets.map(({ key }) => key)).toEqual(['b']);
  actions.discard();
  expect(draft.getState().proposal).toBe(first.proposal);
  actions.undo();
  expect(draft.getState().proposal.tickets).toHaveLength(1);
});

describe('undo', () => {
  test('goes over edits, not letters, and back', () => {
    const { draft, actions } = world();
    actions.edit('a', { title: 'T' });
    actions.edit('a', { title: 'Ti' });
    actions.edit('b', { title: 'U' });
    const titles = () => draft.getState().proposal.tickets.map(({ title }) => title);
    actions.undo();
    expect(titles()).toEqual(['Ti', 'Title b']);
    actions.undo();
    expect(titles()).toEqual(['Title a', 'Title b']);
    actions.redo();
    actions.redo();
    expect(titles()).toEqual(['Ti', 'U']);
  });

  test('restores what was deleted and saved, with the edits since', async () => {
    const { draft, saver, actions, server } = world();
    actions.remove('a');
    expect(await saver.flush()).toBe(true);
    expect(server.newest.proposal.tickets).toHaveLength(1);
    actions.undo();
    actions.edit('b', { title: 'After' });
    expect(await saver.flush()).toBe(true);
    expect(server.newest.proposal.tickets.map(({ title }) => title)).toEqual(['Title a', 'After']);
    expect(server.newest.revision).toBe(4);
    expect(draft.getState()).toMatchObject({ save: 'saved', base: { revision: 4 } });
  });

  test('goes on over what others did, and undoes none of it', async () => {
    const { draft, saver, actions, server, others } = world();
    actions.edit('a', { title: 'One' });
    expect(await saver.flush()).toBe(true);
    actions.edit('a', { description: 'Two.' });
    actions.edit('b', { title: 'Mine' });
    actions.undo();
    others('Theirs');
    saver.arrive(server.newest, 'stale');
    const shown = () =>
      draft.getState().proposal.tickets.map(({ title, description }) => [title, description]);
    expect(shown()).toEqual([
      ['One', 'Two.'],
      ['Theirs', 'Do b.'],
    ]);
    actions.undo();
    expect(shown()[0]).toEqual(['One', 'Do a.']);
    actions.undo();
    expect(shown()).toEqual([
      ['Title a', 'Do a.'],
      ['Theirs', 'Do b.'],
    ]);
    expect(draft.temporal.getState().pastStates).toEqual([]);
    expect(await saver.flush()).toBe(true);
    expect(titlesOf(server.newest.proposal)).toEqual(['Title a', 'Theirs']);
  });

  test('restores what was deleted and saved, although others changed something since', async () => {
    const { saver, actions, server, others } = world();
    actions.remove('a');
    expect(await saver.flush()).toBe(true);
    others('Theirs');
    saver.arrive(server.newest, 'stale');
    actions.undo();
    expect(await saver.flush()).toBe(true);
    expect(titlesOf(server.newest.proposal).toSorted()).toEqual(['Theirs', 'Title a']);
  });

  test('brings back what was deleted, in its place', () => {
    const { draft, actions } = world();
    actions.remove('a');
    actions.undo();
    expect(draft.getState().proposal).toEqual(first.proposal);
  });
});

test('whatever is typed, answered, lost and changed by others meanwhile: no text of mine is lost unasked', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('type' as const),
      key: fc.constantFrom('a', 'b'),
      letter: fc.constantFrom('x', 'y', ' '),
    }),
    fc.record({
      kind: fc.constantFrom('flush' as const, 'others' as const, 'hear' as const, 'lose' as const),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { server, draft, saver, actions, others } = world();
      const typed = { a: 'Title a', b: 'Title b' };
      let n = 0;
      for (const one of steps) {
        if (one.kind === 'type') {
          const key = one.key as 'a' | 'b';
          const shown = draft.getState().proposal.tickets.find((ticket) => ticket.key === key)!.title;
          typed[key] = `${shown}${one.letter}`;
          actions.edit(key, { title: typed[key] });
        } else if (one.kind === 'flush') void saver.flush();
        else if (one.kind === 'hear') saver.arrive(server.newest, 'stale');
        else if (one.kind === 'lose') server.fail = server.fail ? null : new Error('lost');
        else others(`Theirs ${++n}`);
        await Promise.resolve();
      }
      await saver.flush();
      server.fail = null;
      saver.arrive(server.newest, 'stale');
      const isSaved = await saver.flush();
      saver.stop();
      const { conflict, proposal: mine } = draft.getState();
      expect(isSaved).toBe(conflict === null);
      expect(mine.tickets[0]?.title).toBe(typed.a);
      if (isSaved)
        expect(titlesOf(server.newest.proposal)).toEqual(titlesOf(mine).map((title) => title.trim()));
    }),
    { numRuns: 200 },
  );
});
