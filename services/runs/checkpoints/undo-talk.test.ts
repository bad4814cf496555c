import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../runs/schema.ts';
import { createBench, turns, until, WORKSPACE } from '../test-bench.ts';
import {
  ADA,
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

describe('undo of the conversation', () => {
  const work = [
    { tools: [write('a.txt', 'one')] },
    { tools: [write('a.txt', 'two')] },
    { text: 'Done.', fault: stopOnce },
  ];

  test('of a paused run drops the later answers, and what is done anew can be taken back too', async () => {
    world = await worked([...work]);
    const { run, process, top } = world;
    expect(await undo(world, { turn: 1, what: 'both' })).toMatchObject({ conversation: 'rewound' });
    expect(readFileSync(join(top, 'a.txt'), 'utf8')).toBe('one');
    await resume(world);
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
    world = await worked([...work]);
    await undo(world, { turn: 0, what: 'conversation' });
    expect(readFileSync(join(world.top, 'a.txt'), 'utf8')).toBe('two');
    await resume(world);
    await until(
      async () => lastRequest(world),
      (text) => text.includes('may hold changes that you do not remember'),
    );
    await world.process.settled(world.run.id);
  });

  test('of an ended run leaves it out of later prompts, with the message that woke it', async () => {
    const bench = await createBench(turns({ text: 'The answer is 7.' }, { text: 'Well.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const { id: conversationId } = bench.spaces.addConversation('chat');
    const process = await bench.process();
    const message = await bench.spaces.say(conversationId, 'What is the answer?', [agentId]);
    const { items } = await until(
      () => process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`),
      (found) => found.items.some(({ endedAt }) => endedAt !== null),
    );
    const [run] = items as [Run];
    world = { bench, process, run, top: '', agentId, conversationId };
    expect(await refused(world, { turn: 1, what: 'conversation' })).toContain('422 cannot_undo');
    expect(run.trigger.id).toBe(message);
    expect(await undo(world, { turn: 0, what: 'conversation' })).toMatchObject({ conversation: 'forgotten' });
    await bench.spaces.say(conversationId, 'And now?', [agentId]);
    await until(
      async () => lastRequest(world),
      (text) => text.includes('And now?'),
    );
    expect(lastRequest(world)).not.toContain('The answer is 7');
    expect(lastRequest(world)).not.toContain('What is the answer');
  });
});

describe('who and when', () => {
  test('only people, only at rest, only what there is', async () => {
    world = await worked([{ tools: [write('a.txt', '1')] }, { text: 'Done.', delayMs: 1 }, { text: 'x' }]);
    expect(await refused(world, { turn: 0, what: 'files' }, 'agent:agt_1')).toContain('403 people_only');
    expect(await refused(world, { turn: 9, what: 'files' })).toContain('400 invalid_request');
    expect(await refused(world, { turn: 0, checkpointId: 'x', what: 'files' })).toContain('400');
    expect(await refused(world, { what: 'files' })).toContain('400');
    expect(await refused(world, { checkpointId: 'ckp_x', what: 'files' })).toContain('404 not_found');
    expect(await refused(world, { checkpointId: 'ckp_x', what: 'both' })).toContain('400');
  });

  test('until it has ended nothing starts in the conversation, and no other begins', async () => {
    world = await worked([{ tools: [write('a.txt', '1')] }, { text: 'Done.' }]);
    const { process, agentId, conversationId } = world;
    const restoring = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const restore = process.runner.restoreSnapshot;
    process.runner.restoreSnapshot = async (...input) => {
      restoring.resolve();
      await goOn.promise;
      return restore(...input);
    };
    const first = undo(world, { turn: 0, what: 'files' });
    await restoring.promise;
    const { id } = await process.createRun({ agentId, conversationId });
    const elsewhere = await process.createRun({
      agentId,
      conversationId: world.bench.spaces.addConversation('chat').id,
    });
    await ended(world, elsewhere.id);
    expect(await process.json<Run>('GET', `${WORKSPACE}/runs/${id}`)).toMatchObject({ status: 'queued' });
    expect(await refused(world, { turn: 1, what: 'files' })).toContain('ask for the same again');
    const same = undo(world, { turn: 0, what: 'files' });
    goOn.resolve();
    expect((await same).id).toBe((await first).id);
    await ended(world, id);
  });

  test('while anything of the conversation is at work it is refused, saying what to do', async () => {
    world = await worked([
      { tools: [write('a.txt', '1')] },
      { text: 'Done.' },
      { text: 'Slow.', delayMs: 20_000 },
    ]);
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
