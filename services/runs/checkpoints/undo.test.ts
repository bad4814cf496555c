import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedTurn } from '../../../test/model/script.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import type { Checkpoint, UndoRequest, UndoResult } from './schema.ts';

let bench: Bench;
afterEach(() => bench.close());

const ADA = 'person:mem_ada';
const write = (path: string, content: string) => ({ name: 'write_file', input: { path, content } });
/** The key is refused once, which pauses the run until a person says that it is mended. */
const stopOnce: ScriptedTurn['fault'] = { kind: 'status', status: 401 };

interface World {
  process: Process;
  run: Run;
  top: string;
  agentId: string;
  conversationId: string;
}

/** A run that has made the turns and then is paused, or has ended. */
async function worked(...list: ScriptedTurn[]): Promise<World> {
  bench = await createBench(turns(...list));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId: conversation.id });
  const run = await process.settled(id);
  const { path } = await process.runner.openWorktree({
    ...{ workspaceId: WORKSPACE, conversationId: conversation.id, repository: 'app', merge: [] },
    ...{ source: bench.repository.source, branch: String(run.branch), base: 'main' },
  });
  return { process, run, top: path, agentId, conversationId: conversation.id };
}

const undo = ({ process, run }: Pick<World, 'process' | 'run'>, request: UndoRequest) =>
  process.json<UndoResult>('POST', `${WORKSPACE}/runs/${run.id}/undo`, request, ADA);
const refused = async (
  { process, run }: World,
  request: unknown,
  actor: `person:${string}` | `agent:${string}` = ADA,
) => {
  const response = await process.call('POST', `${WORKSPACE}/runs/${run.id}/undo`, request, actor);
  const { code, message, detail } = (await response.json()) as {
    code: string;
    message?: string;
    detail?: string;
  };
  return `${response.status} ${code} ${message ?? detail}`;
};
const listed = async ({ process, run }: World) =>
  (await process.json<{ items: Checkpoint[] }>('GET', `${WORKSPACE}/runs/${run.id}/checkpoints`)).items;
const ended = ({ process }: World, id: string) =>
  until(
    () => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`),
    ({ endedAt }) => endedAt !== null,
  );
const lastRequest = () => JSON.stringify(bench.model.requests.at(-1)?.body);

describe('checkpoints', () => {
  test('one a turn, before its first change; none for reads', async () => {
    const world = await worked(
      { tools: [write('a.txt', '1'), write('b.txt', '1')] },
      { tools: [{ name: 'read_file', input: { path: 'a.txt' } }] },
      { tools: [{ name: 'run_command', input: { command: 'rm a.txt' } }] },
      { text: 'Done.' },
    );
    const items = await listed(world);
    expect(items.map(({ turn, tools, counts, note }) => ({ turn, tools, counts, note }))).toEqual([
      { turn: 0, tools: ['write_file', 'write_file'], counts: true, note: null },
      { turn: 2, tools: ['run_command'], counts: true, note: null },
    ]);
    expect(items.every(({ commitId }) => /^[0-9a-f]{40}$/.test(commitId ?? ''))).toBe(true);
  });

  test('a snapshot that fails holds up no call, and its turn is shown as having none', async () => {
    bench = await createBench(turns({ tools: [write('a.txt', '1')] }, { text: 'Done.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
    const process = await bench.process();
    process.runner.snapshot = () => Promise.reject(new Error('no room'));
    const { id } = await process.createRun({ agentId, conversationId });
    const run = await process.settled(id);
    expect(run.status).toBe('completed');
    const world = { process, run, top: '', agentId, conversationId };
    expect(await listed(world)).toMatchObject([
      { turn: 0, commitId: null, note: 'No snapshot could be made: no room' },
    ]);
    expect(await refused(world, { turn: 0, what: 'files' })).toContain('422 cannot_undo');
  });

  test('go with the worktree that they are of', async () => {
    const world = await worked({ tools: [write('a.txt', '1')] }, { text: 'Done.' });
    const database = await world.process.databases.open(WORKSPACE);
    const { forgetWorktree, listWorktrees } = await import('../worktrees/store.ts');
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
    const world = await worked(...work);
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
    expect(bench.spaces.messages.at(-1)).toMatchObject({
      kind: 'notice',
      body: expect.stringContaining(ADA),
    });
    expect(await bench.events('run.undone')).toHaveLength(4);
  });

  test('takes a person’s own later edits back too, which come again with the undo of the undo', async () => {
    const world = await worked(...work);
    writeFileSync(join(world.top, 'mine.txt'), 'by hand');
    const { files } = await undo(world, { turn: 0, what: 'files' });
    expect(existsSync(join(world.top, 'mine.txt'))).toBe(false);
    await undo(world, { checkpointId: String(files[0]?.checkpointId), what: 'files' });
    expect(readFileSync(join(world.top, 'mine.txt'), 'utf8')).toBe('by hand');
  });

  test('names the later runs of the conversation that it takes back as well', async () => {
    const world = await worked(...work.slice(0, 1), { text: 'Done.' }, { text: 'Nothing.' });
    const later = await world.process.createRun({
      agentId: world.agentId,
      conversationId: world.conversationId,
    });
    await ended(world, later.id);
    writeFileSync(join(world.top, 'between.txt'), 'x');
    expect(await undo(world, { turn: 0, what: 'files' })).toMatchObject({ alsoTakesBack: [later.id] });
    expect(filesIn(world.top)[0]).toBeNull();
  });

  test('a paused run is told which files changed, and goes on', async () => {
    const world = await worked(...work.slice(0, 2), { text: 'Done.', fault: stopOnce });
    expect(world.run.status).toBe('paused');
    await undo(world, { turn: 1, what: 'files' });
    expect(filesIn(world.top)).toEqual(['one', null, 'one\ntwo\n']);
    await world.process.json('POST', `${WORKSPACE}/runs/${world.run.id}/resume`, undefined, ADA);
    expect(await ended(world, world.run.id)).toMatchObject({ status: 'completed' });
    expect(lastRequest()).toContain('deep/new.txt (removed)');
  });

  test('where nothing changed since, nothing is done', async () => {
    const world = await worked({ text: 'Hello.' });
    expect(await undo(world, { turn: 1, what: 'files' })).toMatchObject({ files: [] });
  });

  test('a turn whose files were not kept is refused rather than guessed', async () => {
    const world = await worked(...work);
    const database = await world.process.databases.open(WORKSPACE);
    await database.write('test', [{ sql: 'DELETE FROM checkpoints WHERE turn = 1', args: [] }]);
    expect(await refused(world, { turn: 1, what: 'files' })).toContain('422 cannot_undo');
    await undo(world, { turn: 2, what: 'files' });
    expect(filesIn(world.top)).toEqual(['two', 'new', 'one\ntwo\n']);
  });

  test('what cannot be done at all ends, says why, and holds nothing up', async () => {
    const world = await worked(...work);
    rmSync(join(world.top, '../../snapshots'), { recursive: true });
    expect(await refused(world, { turn: 1, what: 'files' })).toContain('404 not_found');
    expect(await bench.events('run.undoFailed')).toHaveLength(1);
    const { id } = await world.process.createRun({
      agentId: world.agentId,
      conversationId: world.conversationId,
    });
    expect((await ended(world, id)).endedAt).not.toBeNull();
  });
});

describe('undo of the conversation', () => {
  const work = [
    { tools: [write('a.txt', 'one')] },
    { tools: [write('a.txt', 'two')] },
    { text: 'Done.', fault: stopOnce },
  ];

  test('of a paused run drops the later answers, and what is done anew can be taken back too', async () => {
    const world = await worked(...work);
    const { run, process, top } = world;
    expect(await undo(world, { turn: 1, what: 'both' })).toMatchObject({ conversation: 'rewound' });
    expect(readFileSync(join(top, 'a.txt'), 'utf8')).toBe('one');
    await process.json('POST', `${WORKSPACE}/runs/${run.id}/resume`, undefined, ADA);
    await ended(world, run.id);
    const { items } = await process.json<{ items: { entry: { kind: string } }[] }>(
      'GET',
      `${WORKSPACE}/runs/${run.id}/entries`,
    );
    const kinds = items.map(({ entry }) => entry.kind);
    expect(kinds.filter((kind) => kind === 'rewind')).toHaveLength(1);
    const states = (await listed(world)).map(({ turn, counts, undoId }) => [turn, counts, undoId !== null]);
    expect(states.slice(0, 3)).toEqual([
      [0, true, false],
      [1, false, false],
      [2, true, true],
    ]);
    await undo(world, { turn: 0, what: 'files' });
    expect(existsSync(join(top, 'a.txt'))).toBe(false);
  });

  test('of the conversation alone leaves the files, and says so', async () => {
    const world = await worked(...work);
    await undo(world, { turn: 0, what: 'conversation' });
    expect(readFileSync(join(world.top, 'a.txt'), 'utf8')).toBe('two');
    await world.process.json('POST', `${WORKSPACE}/runs/${world.run.id}/resume`, undefined, ADA);
    await until(
      async () => lastRequest(),
      (text) => text.includes('may hold changes that you do not remember'),
    );
    await world.process.settled(world.run.id);
  });

  test('of an ended run leaves it out of later prompts, with the message that woke it', async () => {
    bench = await createBench(turns({ text: 'The answer is 7.' }, { text: 'Well.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const { id: conversationId } = bench.spaces.addConversation('chat');
    const process = await bench.process();
    const message = await bench.spaces.say(conversationId, 'What is the answer?', [agentId]);
    const run = await until(
      async () => (await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`)).items[0],
      (found) => found?.endedAt != null,
    );
    if (!run) throw new Error('no run');
    const world = { process, run, top: '', agentId, conversationId };
    expect(await refused(world, { turn: 1, what: 'conversation' })).toContain('422 cannot_undo');
    expect(run.trigger.id).toBe(message);
    expect(await undo(world, { turn: 0, what: 'conversation' })).toMatchObject({ conversation: 'forgotten' });
    await bench.spaces.say(conversationId, 'And now?', [agentId]);
    await until(
      async () => lastRequest(),
      (text) => text.includes('And now?'),
    );
    expect(lastRequest()).not.toContain('The answer is 7');
    expect(lastRequest()).not.toContain('What is the answer');
  });
});

describe('who and when', () => {
  test('only people, only at rest, only what there is', async () => {
    const world = await worked(
      { tools: [write('a.txt', '1')] },
      { text: 'Done.', delayMs: 1 },
      { text: 'x' },
    );
    expect(await refused(world, { turn: 0, what: 'files' }, 'agent:agt_1')).toContain('403 people_only');
    expect(await refused(world, { turn: 9, what: 'files' })).toContain('400 invalid_request');
    expect(await refused(world, { turn: 0, checkpointId: 'x', what: 'files' })).toContain('400');
    expect(await refused(world, { what: 'files' })).toContain('400');
    expect(await refused(world, { checkpointId: 'ckp_x', what: 'files' })).toContain('404 not_found');
    expect(await refused(world, { checkpointId: 'ckp_x', what: 'both' })).toContain('400');
  });

  test('while anything of the conversation is at work it is refused, saying what to do', async () => {
    const world = await worked(
      { tools: [write('a.txt', '1')] },
      { text: 'Done.' },
      { text: 'Slow.', delayMs: 20_000 },
    );
    const { process, agentId, conversationId } = world;
    const { id } = await process.createRun({ agentId, conversationId });
    await until(
      () => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`),
      ({ startedAt }) => startedAt !== null,
    );
    expect(await refused(world, { turn: 0, what: 'files' })).toContain('409 wrong_status');
    expect(await refused({ ...world, run: { ...world.run, id } }, { turn: 0, what: 'files' })).toContain(
      'pause it',
    );
    await process.json('POST', `${WORKSPACE}/runs/${id}/cancel`, undefined, ADA);
    await undo(world, { turn: 0, what: 'files' });
  });
});
