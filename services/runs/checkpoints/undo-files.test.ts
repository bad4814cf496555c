import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from '../test-bench.ts';
import { delegates, dialogues, onWord } from '../test-dialogues.ts';
import { forgetWorktree, listWorktrees } from '../worktrees/store.ts';
import {
  ended,
  lastRequest,
  listed,
  refused,
  resume,
  stopOnce,
  type UndoWorld,
  undo,
  worked,
  write,
} from './test-undo.ts';

let world: UndoWorld;
afterEach(() => world.bench.close());

describe('checkpoints', () => {
  test('one a turn, before its first change; none for reads', async () => {
    world = await worked([
      { tools: [write('a.txt', '1'), write('b.txt', '1')] },
      { tools: [{ name: 'read_file', input: { path: 'a.txt' } }] },
      { tools: [{ name: 'run_command', input: { command: 'rm a.txt' } }] },
      { text: 'Done.' },
    ]);
    const items = await listed(world);
    expect(items.map(({ turn, tools, counts, note }) => ({ turn, tools, counts, note }))).toEqual([
      { turn: 0, tools: ['write_file', 'write_file'], counts: true, note: null },
      { turn: 2, tools: ['run_command'], counts: true, note: null },
    ]);
    expect(items.every(({ commitId }) => /^[0-9a-f]{40}$/.test(commitId ?? ''))).toBe(true);
  });

  test('a snapshot that fails holds up no call, and its turn is shown as having none', async () => {
    world = await worked([{ tools: [write('a.txt', '1')] }, { text: 'Done.' }], 'Do it.', ({ runner }) => {
      runner.snapshot = () => Promise.reject(new Error('no room'));
    });
    expect(world.run.status).toBe('completed');
    expect(await listed(world)).toMatchObject([
      { turn: 0, commitId: null, note: 'No snapshot could be made: no room' },
    ]);
    expect(await refused(world, { turn: 0, what: 'files' })).toContain('422 cannot_undo');
  });

  test('one that fails after a while is not tried again at each turn', async () => {
    let tries = 0;
    const script = [{ tools: [write('a.txt', '1')] }, { tools: [write('a.txt', '2')] }, { text: 'Done.' }];
    world = await worked(script, 'Do it.', ({ runner }) => {
      runner.snapshot = async () => {
        tries += 1;
        await Bun.sleep(500);
        throw new Error('took too long');
      };
    });
    expect([world.run.status, tries]).toEqual(['completed', 1]);
    expect((await listed(world)).map(({ turn, note }) => [turn, note])).toEqual([
      [0, 'No snapshot could be made: took too long'],
      [1, 'No snapshot was tried, since one failed shortly before: took too long'],
    ]);
  });

  test('go with the worktree that they are of', async () => {
    world = await worked([{ tools: [write('a.txt', '1')] }, { text: 'Done.' }]);
    const database = await world.process.databases.open(WORKSPACE);
    const [worktree] = await listWorktrees(database, world.conversationId);
    if (worktree) await forgetWorktree(database, worktree);
    expect(await listed(world)).toMatchObject([{ commitId: null, note: expect.stringContaining('closed') }]);
  });
});

describe('undo of files', () => {
  const work = [
    { tools: [write('a.txt', 'one')] },
    { tools: [write('a.txt', 'two'), write('deep/new.txt', 'new')] },
    { tools: [{ name: 'delete_file', input: { path: 'README.md' } }] },
    { text: 'Done.' },
  ];
  const filesIn = (top: string) =>
    ['a.txt', 'deep/new.txt', 'README.md'].map((path) =>
      existsSync(join(top, path)) ? readFileSync(join(top, path), 'utf8') : null,
    );

  test('of an ended run, to each turn, and back again', async () => {
    world = await worked([...work]);
    const { top } = world;
    expect(filesIn(top)).toEqual(['two', 'new', null]);
    const back = await undo(world, { turn: 1, what: 'files' });
    expect(filesIn(top)).toEqual(['one', null, 'one\ntwo\n']);
    expect(back).toMatchObject({
      ...{ what: 'files', conversation: 'unchanged', alsoTakesBack: [] },
      files: [
        {
          ...{ repository: 'app', total: 3, left: [] },
          changes: [
            { path: 'README.md', change: 'added' },
            { path: 'a.txt', change: 'changed' },
            { path: 'deep/new.txt', change: 'removed' },
          ],
        },
      ],
    });
    await undo(world, { turn: 0, what: 'files' });
    expect(filesIn(top)).toEqual([null, null, 'one\ntwo\n']);
    await undo(world, { turn: 2, what: 'files' });
    expect(filesIn(top)).toEqual(['two', 'new', 'one\ntwo\n']);
    await undo(world, { checkpointId: String(back.files[0]?.checkpointId), what: 'files' });
    expect(filesIn(top)).toEqual(['two', 'new', null]);
    expect(world.bench.spaces.messages.at(-1)).toMatchObject({
      kind: 'notice',
      body: expect.stringContaining('Ada took back work'),
    });
    expect(await world.bench.events('run.undone')).toHaveLength(4);
  });

  test('takes a person’s own later edits back too, which come again with the undo of the undo', async () => {
    world = await worked([...work]);
    writeFileSync(join(world.top, 'mine.txt'), 'by hand');
    const { files } = await undo(world, { turn: 0, what: 'files' });
    expect(existsSync(join(world.top, 'mine.txt'))).toBe(false);
    await undo(world, { checkpointId: String(files[0]?.checkpointId), what: 'files' });
    expect(readFileSync(join(world.top, 'mine.txt'), 'utf8')).toBe('by hand');
  });

  test('names the later runs of the conversation that it takes back as well', async () => {
    world = await worked([...work.slice(0, 1), { text: 'Done.' }, { text: 'Nothing.' }]);
    const later = await world.process.createRun({
      agentId: world.agentId,
      conversationId: world.conversationId,
    });
    await ended(world, later.id);
    writeFileSync(join(world.top, 'between.txt'), 'x');
    expect(await undo(world, { turn: 0, what: 'files' })).toMatchObject({ alsoTakesBack: [later.id] });
    expect(filesIn(world.top)[0]).toBeNull();
  });

  test('of a turn that only had a sub-agent takes back what that did', async () => {
    const script = dialogues(
      onWord('the part', { tools: [write('part.txt', 'x')] }, { text: 'Written.' }),
      onWord('the whole', delegates('the part'), { tools: [write('own.txt', 'y')] }, { text: 'Done.' }),
    );
    world = await worked(script, 'the whole');
    const { files, alsoTakesBack } = await undo(world, { turn: 1, what: 'files' });
    expect([files[0]?.changes, alsoTakesBack]).toEqual([[{ path: 'own.txt', change: 'removed' }], []]);
    const whole = await undo(world, { turn: 0, what: 'files' });
    expect(whole.files[0]?.changes).toEqual([{ path: 'part.txt', change: 'removed' }]);
    expect(whole.alsoTakesBack).toEqual(world.run.children);
  });

  test('a paused run is told which files changed, and goes on', async () => {
    world = await worked([...work.slice(0, 2), { text: 'Done.', fault: stopOnce }]);
    expect(world.run.status).toBe('paused');
    await undo(world, { turn: 1, what: 'files' });
    expect(filesIn(world.top)).toEqual(['one', null, 'one\ntwo\n']);
    await resume(world);
    expect(await ended(world, world.run.id)).toMatchObject({ status: 'completed' });
    expect(lastRequest(world)).toContain('deep/new.txt (removed)');
  });

  test('where nothing changed since, nothing is done', async () => {
    world = await worked([{ text: 'Hello.' }]);
    expect(await undo(world, { turn: 1, what: 'files' })).toMatchObject({ files: [] });
  });

  test('a turn whose files were not kept is refused rather than guessed', async () => {
    world = await worked([...work]);
    const database = await world.process.databases.open(WORKSPACE);
    await database.write('test', [{ sql: 'DELETE FROM checkpoints WHERE turn = 1', args: [] }]);
    expect(await refused(world, { turn: 1, what: 'files' })).toContain('422 cannot_undo');
    await undo(world, { turn: 2, what: 'files' });
    expect(filesIn(world.top)).toEqual(['two', 'new', 'one\ntwo\n']);
  });

  test('what cannot be done at all ends, says why, and holds nothing up', async () => {
    world = await worked([...work]);
    rmSync(join(world.top, '../../snapshots'), { recursive: true });
    expect(await refused(world, { turn: 1, what: 'files' })).toContain('404 not_found');
    expect(await world.bench.events('run.undoFailed')).toHaveLength(1);
    const { id } = await world.process.createRun({
      agentId: world.agentId,
      conversationId: world.conversationId,
    });
    expect((await ended(world, id)).endedAt).not.toBeNull();
  });
});
