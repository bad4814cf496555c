import { afterEach, expect, test } from 'bun:test';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from './test-bench.ts';

let bench: Bench;
afterEach(() => bench?.close());

const SCRIPT = turns(
  {
    text: 'I look.',
    tools: [
      { name: 'list_files', input: {} },
      { name: 'create_ticket', input: { title: 'Follow up', description: '' } },
    ],
  },
  { tools: [{ name: 'write_file', input: { path: 'a.txt', content: 'a\n' } }] },
  { tools: [{ name: 'git_commit', input: { message: 'Add a' } }] },
  { text: 'Done.' },
);

/** A message wakes an agent, in a process that dies at the given point, if it is given. */
async function begin(killAt?: number): Promise<{ process: Process; conversationId: string }> {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
  await bench.spaces.say(conversationId, '@engineer go', [agentId]);
  const options = killAt === undefined ? {} : { killAt };
  return { process: await bench.process(options), conversationId };
}

const ended = () =>
  until(
    () => bench.events('run.ended'),
    (events) => events.length > 0,
  );

async function expectOnce(conversationId: string): Promise<void> {
  const events = await bench.events();
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(['run.created', 'run.started', 'run.ended'].map(count)).toEqual([1, 1, 1]);
  expect(events.findLast(({ type }) => type === 'run.ended')?.data).toMatchObject({
    status: 'completed',
    output: { text: 'Done.' },
  });
  expect(bench.spaces.tickets.size).toBe(1);
  expect(bench.spaces.messages.map(({ body }) => body)).toEqual(['@engineer go', 'Done.']);
  const branch = `control-center/${conversationId}`;
  expect(bench.repository.git('log', '--format=%s', `main..${branch}`)).toBe('Add a');
  expect(bench.repository.git('show', `${branch}:a.txt`)).toBe('a');
  expect(bench.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
}

async function allPoints(): Promise<string[]> {
  const { process, conversationId } = await begin();
  await ended();
  await expectOnce(conversationId);
  await bench.close();
  return process.points.slice(0, process.points.lastIndexOf('run.end:after') + 1);
}

test('a process that dies at any commit leaves a run that the next one brings to the same end', async () => {
  const points = await allPoints();
  const first = points.indexOf('run.create:before');
  const seen = new Set<string>();
  for (let killAt = first; killAt < points.length; killAt++) {
    const { process, conversationId } = await begin(killAt);
    // A repeated point of the same name is another prefix of the journal, so each of them is tried.
    seen.add(points[killAt] as string);
    // Commits may be shared by what happens to fall together, so that a run can end before it has passed so many points.
    await until(
      async () => process.points.length >= killAt || (await bench.events('run.ended')).length > 0,
      (isOver) => isOver,
    );
    await process.atRest();
    const next = await bench.process();
    await ended();
    await expectOnce(conversationId);
    await Promise.all([process.stop(), next.stop()]);
    await bench.close();
  }
  for (const label of ['run.create', 'run.start', 'run.answer', 'tool.start', 'tool.finish', 'run.end']) {
    expect([label, seen.has(`${label}:before`), seen.has(`${label}:after`)]).toEqual([label, true, true]);
  }
}, 180_000);

test('a process that lets go of its runs when it stops leaves them to the next', async () => {
  bench = await createBench(turns({ text: 'Done.', delayMs: 300 }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const first = await bench.process();
  const { id } = await first.createRun({ agentId });
  await bench.model.waitForRequest(() => true);
  await first.stop();
  expect(await bench.events('run.ended')).toEqual([]);
  const second = await bench.process();
  expect(await second.settled(id)).toMatchObject({ status: 'completed', output: { text: 'Done.' } });
});

test('a process whose runs were taken over writes nothing to them any more', async () => {
  bench = await createBench(turns({ text: 'Done.', delayMs: 500 }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const first = await bench.process();
  const { id } = await first.createRun({ agentId });
  await bench.model.waitForRequest(() => true);
  const second = await bench.process();
  expect(await second.settled(id)).toMatchObject({ status: 'completed' });
  await until(
    async () => bench.model.requests.length,
    (count) => count === 2,
  );
  await first.stop();
  const { items } = await second.json<{ items: { entry: { kind: string } }[] }>(
    'GET',
    `${WORKSPACE}/runs/${id}/entries`,
  );
  expect(items.map(({ entry }) => entry.kind)).toEqual(['user', 'answer']);
  expect((await bench.events('run.ended')).length).toBe(1);
});
