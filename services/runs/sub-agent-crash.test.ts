import { afterEach, expect, test } from 'bun:test';
import type { Entry } from './harness/journal.ts';
import type { Run } from './runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from './test-bench.ts';
import { calls, delegates, dialogues, onWord } from './test-dialogues.ts';

let bench: Bench;
afterEach(() => bench?.close());

const SCRIPTS = {
  'comes to a result': dialogues(
    onWord('the part', { text: 'The part is done.' }),
    onWord('start', delegates('the part'), { text: 'All is done.' }),
  ),
  fails: dialogues(
    onWord('the part', { text: 'No.', stopReason: 'refusal' }),
    onWord('start', delegates('the part'), { text: 'All is done.' }),
  ),
  'is one of two': dialogues(
    onWord('the part', { text: 'The part is done.' }),
    onWord('another', calls(['create_ticket', { title: 'T', description: '' }]), { text: 'So is this.' }),
    onWord('start', delegates('the part', 'another'), { text: 'All is done.' }),
  ),
};

/** A message wakes an agent, in a process that dies at the given point, if it is given. */
async function begin(script: keyof typeof SCRIPTS, killAt?: number): Promise<Process> {
  bench = await createBench(SCRIPTS[script]);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat');
  await bench.spaces.say(conversationId, 'start', [agentId]);
  return bench.process(killAt === undefined ? {} : { killAt });
}

const rootEnded = async () => (await bench.events('run.ended')).some(({ data }) => data.parentRunId === null);

const ended = () => until(rootEnded, (isOver) => isOver);

async function entriesOf(process: Process, runId: string): Promise<Entry[]> {
  const path = `${WORKSPACE}/runs/${runId}/entries?limit=500`;
  const { items } = await process.json<{ items: { entry: Entry }[] }>('GET', path);
  return items.map(({ entry }) => entry);
}

async function expectOnce(process: Process, script: keyof typeof SCRIPTS): Promise<void> {
  const children = script === 'is one of two' ? 2 : 1;
  const { items } = await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`);
  expect(items.length).toBe(children + 1);
  const [root, child] = items;
  expect(root).toMatchObject({ status: 'completed', output: { text: 'All is done.' } });
  expect(child?.status).toBe(script === 'fails' ? 'failed' : 'completed');
  const events = await bench.events();
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(['run.created', 'run.started', 'run.ended'].map(count)).toEqual(Array(3).fill(children + 1));
  const kinds = (await entriesOf(process, root?.id as string)).map(({ kind }) => kind);
  const results = Array<Entry['kind']>(children).fill('toolFinished');
  expect(kinds).toEqual(['user', 'answer', ...results, 'answer']);
  const asked = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
  expect(asked).toContain(script === 'fails' ? 'The task was not done' : 'The part is done.');
  expect(bench.spaces.messages.map(({ body }) => body)).toEqual(['start', 'All is done.']);
  expect(bench.spaces.tickets.size).toBe(children - 1);
  expect(bench.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
}

for (const script of ['fails', 'is one of two'] as const) {
  test(`a parent resumes once with what its sub-agent came to, whichever commit the process dies at: it ${script}`, async () => {
    const rehearsal = await begin(script);
    await ended();
    await expectOnce(rehearsal, script);
    const points = rehearsal.points.slice(0, rehearsal.points.lastIndexOf('run.end:after') + 1);
    await bench.close();
    const seen = new Set<string>();
    for (let killAt = points.indexOf('run.create:before'); killAt < points.length; killAt++) {
      const process = await begin(script, killAt);
      seen.add(points[killAt] as string);
      // Commits may be shared by what happens to fall together, so that a run can end before it has passed so many points.
      await until(
        async () => process.points.length >= killAt || (await rootEnded()),
        (isOver) => isOver,
      );
      await process.atRest();
      const next = await bench.process();
      await ended();
      await expectOnce(next, script);
      await Promise.all([process.stop(), next.stop()]);
      await bench.close();
    }
    for (const label of ['run.create', 'run.wait', 'run.end', 'run.continue', 'tool.finish']) {
      expect([label, seen.has(`${label}:before`), seen.has(`${label}:after`)]).toEqual([label, true, true]);
    }
  }, 180_000);
}

test('a sub-agent that ends between the decision to wait for it and the commit of that wait is not waited for', async () => {
  bench = await createBench(SCRIPTS['comes to a result']);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const hold = Promise.withResolvers<void>();
  const process = await bench.process();
  const database = await process.databases.open(WORKSPACE);
  const write = database.write.bind(database);
  // Without a conversation both may run at once: the parent's wait is held back until the other has ended.
  database.write = async (label, statements) => {
    if (label === 'run.wait') await hold.promise;
    return write(label, statements);
  };
  const { id } = await process.createRun({ agentId, prompt: 'start' });
  const child = await until(
    async () => (await process.json<Run>('GET', `${WORKSPACE}/runs/${id}`)).children[0],
    (found) => found !== undefined,
  );
  await process.createRun({ agentId, prompt: 'start', key: 'to make the queue be looked at' });
  await until(
    async () => (await process.json<Run>('GET', `${WORKSPACE}/runs/${child}`)).endedAt,
    (at) => at !== null,
  );
  hold.resolve();
  expect(await process.settled(id)).toMatchObject({ status: 'completed', output: { text: 'All is done.' } });
});
