import { afterEach, describe, expect, test } from 'bun:test';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelScript } from '../../../test/model/script.ts';
import type { Entry } from '../harness/journal.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import { calls } from '../test-dialogues.ts';
import type { TakenOver } from './takeover.ts';

let bench: Bench;
afterEach(() => bench.close());

const [ADA, BOB] = ['person:mem_ada', 'person:mem_bob'] as const;
const WORK = turns(
  calls(['write_file', { path: 'a.txt', content: 'a\n' }], ['write_file', { path: 'b.txt', content: 'b\n' }]),
  calls(['ask_user', { question: 'Which port?' }]),
  { text: 'Done.' },
);
const at = (id: string, verb = '') => `${WORKSPACE}/runs/${id}${verb}`;
const look = (process: Process, id: string) => process.json<Run>('GET', at(id));
const ended = (process: Process, id: string) =>
  until(
    () => look(process, id),
    ({ endedAt }) => endedAt !== null,
  );
const take = (process: Process, id: string, by: typeof ADA | typeof BOB = ADA) =>
  process.json<TakenOver>('POST', at(id, '/takeover'), undefined, by);

async function begin(script: ModelScript, killAt?: number) {
  bench = await createBench(script);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process(killAt === undefined ? {} : { killAt });
  const { id } = await process.createRun({ agentId, conversationId: conversation.id });
  return { process, id, agentId, conversation };
}

async function entriesOf(process: Process, id: string): Promise<Entry[]> {
  const { items } = await process.json<{ items: { entry: Entry }[] }>('GET', at(id, '/entries?limit=500'));
  return items.map(({ entry }) => entry);
}

describe('a takeover', () => {
  test('hands the working tree to a person and back, and the agent reads what changed meanwhile', async () => {
    const { process, id, agentId, conversation } = await begin(WORK);
    const { waitingFor } = await process.settled(id);
    const taken = await take(process, id);
    const [worktree] = taken.worktrees;
    expect(taken).toMatchObject({ state: 'held', run: { status: 'paused', takenOverBy: ADA } });
    expect(worktree).toMatchObject({ repository: 'app', branch: `control-center/${conversation.id}` });
    const path = worktree?.path as string;
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
    appendFileSync(join(path, 'b.txt'), 'by a person\n');
    appendFileSync(join(path, 'README.md'), 'three\n');
    // Nothing of the conversation starts, and neither does the run, whatever is decided or resumed.
    const other = await process.createRun({ agentId, conversationId: conversation.id, key: 'other' });
    await bench.spaces.decide(waitingFor as string, 'approved', { answer: '80' });
    const resumed = await process.call('POST', at(id, '/resume'), undefined, ADA);
    expect([resumed.status, await resumed.text()]).toEqual([409, expect.stringContaining('taken over')]);
    expect(await look(process, other.id)).toMatchObject({ status: 'queued' });
    const asked = bench.model.requests.length;
    expect((await process.call('POST', at(id, '/handback'), {}, BOB)).status).toBe(403);
    await process.json('POST', at(id, '/handback'), { note: 'Mind the README.' }, ADA);
    expect(await ended(process, id)).toMatchObject({ status: 'completed', takenOverBy: null });
    await process.settled(other.id);
    const note = (await entriesOf(process, id)).find(
      (entry) => entry.kind === 'user' && entry.cause === 'handback',
    ) as Extract<Entry, { kind: 'user' }>;
    expect(note.text).toContain('Ada had taken this work over');
    expect(note.text).toContain('> Mind the README.');
    expect(note.text).toContain('- app: changed README.md, b.txt.');
    expect(JSON.stringify(bench.model.requests[asked]?.body.messages)).toContain('Mind the README.');
    expect(bench.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
    const types = (await bench.events()).filter(({ subject }) => subject === id).map(({ type }) => type);
    expect(types.filter((type) => /take|hand/.test(type))).toEqual([
      ...['run.takeoverRequested', 'run.takenOver', 'run.handedBack'],
    ]);
  });

  test('waits for the call in flight', async () => {
    const wait = { command: 'touch begun; while [ ! -f go ]; do sleep 0.02; done; touch over' };
    const { process, id, conversation } = await begin(turns(calls(['run_command', wait]), { text: 'Done.' }));
    const ref = { workspaceId: WORKSPACE, conversationId: conversation.id, repository: 'app' };
    await until(
      async () => (await process.runner.listFiles(ref, {}).catch(() => ({ files: [''] }))).files,
      (files) => files.includes('begun'),
    );
    const taking = take(process, id);
    await until(
      () => look(process, id),
      ({ takenOverBy }) => takenOverBy === ADA,
    );
    await process.runner.writeFile(ref, { path: 'go', content: '' });
    const { state, worktrees } = await taking;
    expect([state, existsSync(join(worktrees[0]?.path as string, 'over'))]).toEqual(['held', true]);
    await process.json('POST', at(id, '/handback'), {}, ADA);
    expect(await ended(process, id)).toMatchObject({ status: 'completed' });
  });

  test('is refused for a run that has not begun, is held, or has ended; the same person may ask again', async () => {
    const { process, id, agentId } = await begin(WORK);
    await process.settled(id);
    const refused = async (by: typeof ADA | typeof BOB, run = id) =>
      (await process.call('POST', at(run, '/takeover'), undefined, by)).status;
    expect((await process.call('POST', at(id, '/takeover'), undefined, 'agent:agt_x')).status).toBe(403);
    await take(process, id);
    expect(await take(process, id)).toMatchObject({ state: 'held' });
    expect((await bench.events('run.takenOver')).length).toBe(1);
    expect(await refused(BOB)).toBe(409);
    const queued = await process.createRun({
      agentId,
      conversationId: (await look(process, id)).conversationId,
    });
    expect(await refused(ADA, queued.id)).toBe(409);
    await process.json('POST', at(queued.id, '/cancel'));
    bench.spaces.owner = BOB;
    await process.json('POST', at(id, '/handback'), { note: null }, BOB);
    expect((await process.call('POST', at(id, '/handback'), {}, ADA)).status).toBe(409);
    await process.json('POST', at(id, '/cancel'));
    expect(await refused(ADA)).toBe(409);
  });

  test('leaves a cancel possible, which frees the conversation', async () => {
    const { process, id, agentId, conversation } = await begin(WORK);
    await process.settled(id);
    await take(process, id);
    const other = await process.createRun({ agentId, conversationId: conversation.id, key: 'other' });
    expect(await process.json('POST', at(id, '/cancel'))).toMatchObject({
      status: 'cancelled',
      takenOverBy: null,
    });
    await process.settled(other.id);
    expect((await look(process, other.id)).startedAt).not.toBe(null);
  });
});

describe('killed at any commit of', () => {
  /** Takes and hands back as a person does who tries again with the next process. */
  async function takeAndReturn(process: () => Process, id: string): Promise<void> {
    const again = async (verb: string, body?: unknown) => {
      for (;;) {
        const response = await process()
          .call('POST', at(id, verb), body, ADA)
          .catch(() => null);
        if (response !== null && response.status !== 500) return response;
        await Bun.sleep(10);
      }
    };
    expect((await again('/takeover')).status).toBe(200);
    expect([200, 409]).toContain((await again('/handback', { note: 'Yours.' })).status);
  }

  test('a takeover and its return, the next process goes on, and the note is read once', async () => {
    const rehearsal = await begin(WORK);
    await rehearsal.process.settled(rehearsal.id);
    await takeAndReturn(() => rehearsal.process, rehearsal.id);
    const { points } = rehearsal.process;
    const labels = ['run.takeover', 'run.takenOver', 'run.handback'];
    const kills = labels.flatMap((label) => [
      points.indexOf(`${label}:before`),
      points.indexOf(`${label}:after`),
    ]);
    expect(kills.every((index) => index > 0)).toBe(true);
    await bench.close();
    for (const killAt of kills) {
      const { process: first, id } = await begin(WORK, killAt);
      await until(
        async () => (await bench.events('run.waiting')).length + (first.points.length > killAt ? 1 : 0),
        (count) => count > 0,
      );
      let current = first;
      const acting = takeAndReturn(() => current, id);
      await until(
        async () => first.points.length,
        (count) => count >= killAt,
      );
      await first.atRest();
      current = await bench.process();
      await acting;
      await until(
        () => look(current, id),
        ({ liveness, takenOverBy }) => liveness === 'waiting' && takenOverBy === null,
      );
      const notes = (await entriesOf(current, id)).filter(
        (entry) => entry.kind === 'user' && entry.cause === 'handback',
      );
      expect(notes.length).toBe(1);
      await Promise.all([first.stop(), current.stop()]);
      await bench.close();
    }
  }, 60_000);
});
