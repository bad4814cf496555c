import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { ModelScript } from '../../../test/model/script.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import { calls } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

/** A command that works until the file `go` is in its worktree. */
const UNTIL_GO = calls(['run_command', { command: 'touch begun; while [ ! -f go ]; do sleep 0.02; done' }]);
const ADA = 'person:mem_ada';

async function begin(script: ModelScript, wakes = true) {
  bench = await createBench(script);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  if (wakes) await bench.spaces.say(conversation.id, 'start', [agentId]);
  const ref = { workspaceId: WORKSPACE, conversationId: conversation.id, repository: 'app' };
  return { process, agentId, conversationId: conversation.id, ref };
}

const runsOf = async (process: Process) =>
  (await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`)).items;

const isThere = (process: Process, ref: Parameters<Process['runner']['listFiles']>[0], file: string) =>
  until(
    async () => (await process.runner.listFiles(ref, {}).catch(() => ({ files: [] as string[] }))).files,
    (files) => files.includes(file),
  );

const allEnded = (process: Process, count: number) =>
  until(
    () => runsOf(process),
    (items) => items.length === count && items.every(({ endedAt }) => endedAt !== null),
  );

const noticed = () => bench.spaces.messages.filter(({ kind }) => kind === 'notice');
const firstRun = (process: Process, isIt: (run: Run) => boolean) =>
  until(
    async () => (await runsOf(process))[0],
    (run) => run !== undefined && isIt(run),
  ) as Promise<Run>;

describe('a message to an agent at work', () => {
  test('reaches its run at the next tool boundary, behind the results, and makes no run of its own', async () => {
    const { process, agentId, conversationId, ref } = await begin(
      turns(UNTIL_GO, { text: 'Done, in blue.' }),
    );
    await isThere(process, ref, 'begun');
    const messageId = await bench.spaces.say(conversationId, 'In blue, please.\nAnd soon.', [agentId]);
    const database = await process.databases.open(WORKSPACE);
    await until(
      () => database.read({ sql: 'SELECT messageId FROM runMessages', args: [] }),
      (rows) => rows.length === 1,
    );
    await Bun.write(join((await process.runner.openWorktree(await opening(process, ref))).path, 'go'), '');
    const [run] = await allEnded(process, 1);
    expect(run).toMatchObject({ status: 'completed', output: { text: 'Done, in blue.' } });
    const last = bench.model.requests.at(-1)?.body.messages.at(-1);
    const blocks = last?.content as { type: string; text?: string }[];
    expect(blocks.map(({ type }) => type)).toEqual(['tool_result', 'text']);
    expect(blocks[1]?.text).toBe(`Ada writes to you while you work:\n\n> In blue, please.\n> And soon.`);
    const steered = await bench.events('run.steered');
    expect(steered.map(({ subject, data }) => [subject, data])).toEqual([[run?.id as string, { messageId }]]);
    expect(bench.spaces.messages.map(({ body }) => body)).toEqual([
      ...['start', 'In blue, please.\nAnd soon.', 'Done, in blue.'],
    ]);
    expect(bench.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
  });

  test('that is to be queued has a run of its own, and so has one that comes before the run has begun', async () => {
    const { process, agentId, conversationId } = await begin(turns({ text: 'Done.', delayMs: 100 }), false);
    const first = await bench.spaces.say(conversationId, 'one', [agentId]);
    const second = await bench.spaces.say(conversationId, 'two', [agentId], 'queue');
    const items = await allEnded(process, 2);
    expect(items.map(({ key }) => key)).toEqual([
      `message:${first}/${agentId}`,
      `message:${second}/${agentId}`,
    ]);
    expect(await bench.events('run.steered')).toEqual([]);
  });

  test('while its last answer is on its way is answered by the same run, and both answers are posted', async () => {
    const { process, agentId, conversationId } = await begin(
      turns({ text: 'The first.', delayMs: 300 }, { text: 'The second.' }),
    );
    await bench.model.waitForRequest(() => true);
    await bench.spaces.say(conversationId, 'and?', [agentId]);
    const [run] = await allEnded(process, 1);
    expect(run).toMatchObject({ status: 'completed', output: { text: 'The second.' } });
    const answers = bench.spaces.messages.filter(({ author }) => author === `agent:${agentId}`);
    expect(answers.at(-1)?.body).toBe('The second.');
  });

  test('between its last word and its end makes it go on', async () => {
    const { process, agentId, conversationId } = await begin(
      turns({ text: 'The first.' }, { text: 'The second.' }),
      false,
    );
    const database = await process.databases.open(WORKSPACE);
    const write = database.write.bind(database);
    let isSaid = false;
    database.write = async (label, statements) => {
      if (label === 'run.end' && !isSaid) {
        isSaid = true;
        await bench.spaces.say(conversationId, 'and?', [agentId]);
        const read = () => database.read({ sql: 'SELECT 1 FROM runMessages', args: [] });
        await until(read, (rows) => rows.length === 1);
      }
      return write(label, statements);
    };
    await bench.spaces.say(conversationId, 'start', [agentId]);
    const [run] = await allEnded(process, 1);
    expect(run).toMatchObject({ status: 'completed', output: { text: 'The second.' } });
    const said = bench.spaces.messages.map(({ body }) => body);
    expect(said).toEqual(['start', 'The first.', 'and?', 'The second.']);
    expect((await bench.events('run.ended')).length).toBe(1);
  });

  test('that fails without reading it has a run of its own afterwards', async () => {
    const { process, agentId, conversationId } = await begin(
      turns({ text: 'No.', stopReason: 'refusal', delayMs: 300 }),
    );
    await bench.model.waitForRequest(() => true);
    const messageId = await bench.spaces.say(conversationId, 'Something else.', [agentId]);
    const items = await allEnded(process, 2);
    expect(items.map(({ status, trigger }) => [status, trigger.id])).toEqual([
      ['failed', items[0]?.trigger.id ?? ''],
      ['failed', messageId],
    ]);
    expect(items[1]).toMatchObject({ key: `message:${messageId}/${agentId}` });
  });

  test('that is cancelled before it reads it is told of', async () => {
    const { process, agentId, conversationId, ref } = await begin(turns(UNTIL_GO));
    await isThere(process, ref, 'begun');
    await bench.spaces.say(conversationId, 'In blue.', [agentId]);
    const [run] = await runsOf(process);
    const database = await process.databases.open(WORKSPACE);
    const read = () => database.read({ sql: 'SELECT 1 FROM runMessages', args: [] });
    await until(read, (rows) => rows.length === 1);
    await process.json('POST', `${WORKSPACE}/runs/${run?.id}/cancel`);
    const [notice] = await until(
      async () => noticed(),
      (found) => found.length === 1,
    );
    expect(notice?.body).toContain('> In blue.');
    expect((await runsOf(process)).length).toBe(1);
  });
});

describe('a message to a run that waits', () => {
  test('is kept and read when it goes on; what it waits for is said once', async () => {
    const { process, agentId, conversationId } = await begin(
      turns(calls(['ask_user', { question: 'Which port?' }]), { text: 'Done.' }),
    );
    const waiting = await firstRun(process, ({ liveness }) => liveness === 'waiting');
    await bench.spaces.say(conversationId, 'By the way.', [agentId]);
    await bench.spaces.say(conversationId, 'And this.', [agentId]);
    const [notice] = await until(
      async () => noticed(),
      (found) => found.length === 1,
    );
    expect(notice?.body).toContain(`the answer to a question (${waiting.waitingFor})`);
    const read = async () =>
      (await process.databases.open(WORKSPACE)).read({ sql: 'SELECT 1 FROM runMessages', args: [] });
    await until(read, (rows) => rows.length === 2);
    await bench.spaces.decide(waiting.waitingFor as string, 'approved', { answer: '80' });
    const [run] = await allEnded(process, 1);
    expect(run?.status).toBe('completed');
    const asked = JSON.stringify(bench.model.requests.at(-1)?.body.messages.at(-1));
    expect(asked.indexOf('By the way.')).toBeGreaterThan(0);
    expect(asked.indexOf('And this.')).toBeGreaterThan(asked.indexOf('By the way.'));
    expect(noticed().length).toBe(1);
  });
});

describe('steering a run by its id', () => {
  const steer = (process: Process, id: string, text: string, actor = ADA) =>
    process.call('POST', `${WORKSPACE}/runs/${id}/steer`, { text }, actor as 'person:mem_ada');

  test('puts the words on record in its conversation; a run that has ended, and an agent, are refused', async () => {
    const { process, conversationId, ref } = await begin(turns(UNTIL_GO, { text: 'Done.' }));
    await isThere(process, ref, 'begun');
    const [run] = await runsOf(process);
    const id = run?.id as string;
    expect((await steer(process, id, 'In blue.', 'agent:agt_x')).status).toBe(403);
    const said = await steer(process, id, 'In blue.');
    expect([said.status, await said.json()]).toEqual([202, { runId: id, messageId: expect.any(String) }]);
    const message = bench.spaces.messages.at(-1);
    expect(message).toMatchObject({ author: ADA, body: 'In blue.', conversationId, data: { runId: id } });
    const database = await process.databases.open(WORKSPACE);
    const read = () => database.read({ sql: 'SELECT 1 FROM runMessages', args: [] });
    await until(read, (rows) => rows.length === 1);
    await Bun.write(join((await process.runner.openWorktree(await opening(process, ref))).path, 'go'), '');
    await allEnded(process, 1);
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('> In blue.');
    const late = await steer(process, id, 'Too late.');
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('is completed')]);
  });

  test('without a conversation tells the run itself', async () => {
    const { process, agentId } = await begin(
      turns(calls(['ask_user', { question: 'Well?' }]), { text: 'Done.' }),
      false,
    );
    const { id } = await process.createRun({ agentId });
    const waiting = await process.settled(id);
    expect((await steer(process, id, 'In blue.')).status).toBe(202);
    await bench.spaces.decide(waiting.waitingFor as string, 'approved', { answer: 'Yes' });
    const [run] = await allEnded(process, 1);
    expect(run?.status).toBe('completed');
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('> In blue.');
  });
});

/** What the runner was asked when it opened the worktree: asking again gives the one there is. */
async function opening(
  process: Process,
  ref: { workspaceId: string; conversationId: string; repository: string },
) {
  const { branch, base } = await process.runner.gitStatus(ref);
  return { ...ref, source: bench.repository.source, branch, base, merge: [] };
}
