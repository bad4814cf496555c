import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelScript } from '../../../test/model/script.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

const ASKS = turns(calls(['run_command', { command: 'cat .netrc' }]), { text: 'Done.' });
const at = (id: string, verb = '') => `${WORKSPACE}/runs/${id}${verb}`;
const look = (process: Process, id: string) => process.json<Run>('GET', at(id));
const comesTo = (process: Process, id: string, isThere: (run: Run) => boolean) =>
  until(() => look(process, id), isThere);
const isPaused = ({ status }: Run) => status === 'paused';
const hasEnded = ({ endedAt }: Run) => endedAt !== null;

async function begin(script: ModelScript, prompt = 'start') {
  bench = await createBench(script);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt });
  return { process, id, agentId, conversation };
}

describe('a pause', () => {
  test('of a run that waits holds through the decision, and the run goes on by it when it is resumed', async () => {
    const { process, id, agentId } = await begin(ASKS);
    const { waitingFor } = await process.settled(id);
    const paused = await process.json<Run>('POST', at(id, '/pause'), undefined, 'person:mem_ada');
    expect(paused).toMatchObject({ status: 'paused', pauseRequestedBy: 'person:mem_ada', waitingFor });
    await bench.spaces.decide(waitingFor as string, 'approved');
    // What a later event of the log set going shows that the decision was handled.
    const other = bench.spaces.addConversation('chat');
    await bench.spaces.say(other.id, 'hello', [agentId]);
    await until(
      () => bench.events('run.created'),
      (events) => events.length === 2,
    );
    expect(await look(process, id)).toMatchObject({ status: 'paused' });
    await process.json('POST', at(id, '/resume'), undefined, 'person:mem_ada');
    expect(await comesTo(process, id, hasEnded)).toMatchObject({ status: 'completed' });
    const types = (await bench.events()).filter(({ subject }) => subject === id).map(({ type }) => type);
    expect(types.filter((type) => /pause|resumed/.test(type))).toEqual([
      ...['run.pauseRequested', 'run.paused', 'run.resumed'],
    ]);
  });

  test('in the middle of an answer with several calls stops before the next of them', async () => {
    const line = (n: number) => ({
      command: `echo ${n} >> lines; while [ ! -f go${n} ]; do sleep 0.02; done`,
    });
    const both = calls(['run_command', line(1)], ['run_command', line(2)]);
    const { process, id, conversation } = await begin(turns(both, { text: 'Done.' }));
    const ref = { workspaceId: WORKSPACE, conversationId: conversation.id, repository: 'app' };
    await until(
      async () => (await process.runner.listFiles(ref, {}).catch(() => ({ files: [''] }))).files,
      (files) => files.includes('lines'),
    );
    await process.json('POST', at(id, '/pause'));
    expect(await look(process, id)).toMatchObject({ status: 'running' });
    const directory = await worktreePath(process, conversation.id);
    await Bun.write(join(directory, 'go1'), '');
    await comesTo(process, id, isPaused);
    expect(readFileSync(join(directory, 'lines'), 'utf8')).toBe('1\n');
    await Bun.write(join(directory, 'go2'), '');
    await process.json('POST', at(id, '/resume'));
    expect(await comesTo(process, id, hasEnded)).toMatchObject({ status: 'completed' });
    expect(readFileSync(join(directory, 'lines'), 'utf8')).toBe('1\n2\n');
  });

  test('of a queued run keeps it from starting until it is resumed', async () => {
    const { process, agentId, conversation } = await begin(turns({ text: 'Done.', delayMs: 300 }));
    const second = await process.createRun({ agentId, conversationId: conversation.id, key: 'second' });
    expect(await process.json('POST', at(second.id, '/pause'))).toMatchObject({ status: 'paused' });
    await until(
      () => bench.events('run.ended'),
      (events) => events.length === 1,
    );
    expect(await look(process, second.id)).toMatchObject({ status: 'paused', startedAt: null });
    expect(await process.json('POST', at(second.id, '/resume'))).toMatchObject({ status: 'queued' });
    expect(await comesTo(process, second.id, hasEnded)).toMatchObject({ status: 'completed' });
    expect((await process.call('POST', at(second.id, '/pause'))).status).toBe(409);
    expect((await process.call('POST', at(second.id, '/resume'))).status).toBe(409);
  });

  test('takes the whole tree below along, and so does going on', async () => {
    const script = dialogues(
      onWord('inner', { ...calls(['list_files', {}]), delayMs: 300 }, { text: 'The inner one is done.' }),
      onWord('outer', delegates('inner'), { text: 'The outer one is done.' }),
      onWord('deep', delegates('outer'), { text: 'All is done.' }),
    );
    const { process, id } = await begin(script, 'deep');
    const tree = async () => [
      await look(process, id),
      ...(await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs?rootRunId=${id}`)).items,
    ];
    await bench.model.waitForRequest(({ body }) => JSON.stringify(body.messages).includes('inner'));
    await until(tree, (runs) => runs.length === 3 && runs[2]?.startedAt !== null);
    await process.json('POST', at(id, '/pause'));
    await until(tree, (runs) => runs.every(isPaused));
    const asked = bench.model.requests.length;
    await process.json('POST', at(id, '/resume'));
    const over = await until(tree, (runs) => runs.every(hasEnded));
    expect(over.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(bench.model.requests.length).toBeGreaterThan(asked);
  });

  test('of a run holds what is below it, which goes on with it and not before', async () => {
    const script = dialogues(
      onWord('inner', calls(['ask_user', { question: 'Which?' }]), { text: 'The inner one is done.' }),
      onWord('outer', delegates('inner'), { text: 'The outer one is done.' }),
    );
    const { process, id } = await begin(script, 'outer');
    const inner = async () =>
      (await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs?rootRunId=${id}`)).items[0];
    const child = await until(inner, (run) => run !== undefined && run.waitingFor !== null);
    const childId = child?.id as string;
    await process.json('POST', at(id, '/pause'));
    const refused = await process.call('POST', at(childId, '/resume'));
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(id)]);
    expect(await look(process, childId)).toMatchObject({ status: 'paused' });
    await process.json('POST', at(id, '/resume'));
    expect(await comesTo(process, childId, ({ waitingFor }) => waitingFor !== null)).toMatchObject({
      status: 'running',
      liveness: 'waiting',
    });
    await comesTo(process, id, ({ waitingFor }) => waitingFor === childId);
    // One that was paused by itself goes on by itself.
    await process.json('POST', at(childId, '/pause'));
    expect(await process.json('POST', at(childId, '/resume'))).toMatchObject({ status: 'running' });
  });

  test('outlives the process, wherever that dies; the next goes on only when it is told to', async () => {
    const { process, id } = await begin(
      turns({ ...calls(['list_agents', {}]), delayMs: 200 }, { text: 'Done.' }),
    );
    await bench.model.waitForRequest(() => true);
    await process.json('POST', at(id, '/pause'));
    await process.stop();
    const next = await bench.process();
    expect(await comesTo(next, id, isPaused)).toMatchObject({ pauseRequestedBy: 'service:test' });
    await next.stop();
    const third = await bench.process();
    expect(await look(third, id)).toMatchObject({ status: 'paused' });
    await third.json('POST', at(id, '/resume'));
    expect(await comesTo(third, id, hasEnded)).toMatchObject({ status: 'completed' });
  });

  test('by a person is not ended by a service', async () => {
    const { process, id } = await begin(ASKS);
    await process.settled(id);
    await process.json('POST', at(id, '/pause'), undefined, 'person:mem_ada');
    const refused = await process.call('POST', at(id, '/resume'));
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('person:mem_ada')]);
    expect(await process.json('POST', at(id, '/resume'), undefined, 'person:mem_bob')).toMatchObject({
      status: 'running',
    });
  });

  test('that is taken back before it took hold leaves the run at work', async () => {
    const { process, id } = await begin(turns({ text: 'Done.', delayMs: 300 }));
    await bench.model.waitForRequest(() => true);
    await process.json('POST', at(id, '/pause'));
    expect(await process.json('POST', at(id, '/resume'))).toMatchObject({ pauseRequestedBy: null });
    expect(await comesTo(process, id, hasEnded)).toMatchObject({ status: 'completed' });
  });

  test('does not hold a cancel up', async () => {
    const { process, id } = await begin(ASKS);
    await process.settled(id);
    await process.json('POST', at(id, '/pause'));
    expect(await process.json('POST', at(id, '/cancel'))).toMatchObject({ status: 'cancelled' });
  });
});

async function worktreePath(process: Process, conversationId: string): Promise<string> {
  const database = await process.databases.open(WORKSPACE);
  const sql = 'SELECT path FROM worktrees WHERE conversationId = ?';
  const [row] = await database.read({ sql, args: [conversationId] });
  return String(row?.path);
}
