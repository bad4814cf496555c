import { afterEach, describe, expect, test } from 'bun:test';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import type { Budget } from './schema.ts';

let bench: Bench;
afterEach(() => bench.close());

/** With a price of one micro-dollar a token, each call costs 500. */
const usage = { inputTokens: 100, outputTokens: 400, cacheReadTokens: 0, cacheWriteTokens: 0 };
const CALL_MICROS = 500;
const look = (projectId: string) => ({ tools: [{ name: 'list_tickets', input: { projectId } }], usage });
const SCRIPT = turns(look('a'), look('b'), look('c'), { text: 'Done.', usage });
const PERSON = 'person:mem_ada';

const runOf = (process: Process, id: string) => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`);
const ended = (process: Process, id: string) =>
  until(
    () => runOf(process, id),
    ({ endedAt }) => endedAt !== null,
  );
const paused = (process: Process, id: string) =>
  until(
    () => runOf(process, id),
    ({ status }) => status === 'paused',
  );
const setCap = (process: Process, target: string, capMicros: number | null) =>
  process.json<Budget>('PUT', `${WORKSPACE}/budgets/${target}`, { capMicros }, PERSON);

async function begin() {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  return { agentId, process: await bench.process() };
}

describe('raising a cap', () => {
  test.each(['run', 'agent', 'workspace', 'run:'] as const)(
    'of %s lets what it stopped go on by itself, once',
    async (kind) => {
      const { agentId, process } = await begin();
      const ofRun = kind === 'run:';
      const target = kind === 'agent' ? `agent:${agentId}` : kind;
      if (!ofRun) await setCap(process, target, 900);
      const { id } = await process.createRun({ agentId, ...(ofRun ? { capMicros: 900 } : {}) });
      expect(await paused(process, id)).toMatchObject({ costMicros: 1_000, errorFamily: 'budget' });
      const raised = ofRun ? `run:${id}` : target;
      // Still used up: nothing goes on.
      await setCap(process, raised, 950);
      expect(await runOf(process, id)).toMatchObject({ status: 'paused' });
      await Promise.all([setCap(process, raised, 9_000), setCap(process, raised, 9_000)]);
      expect(await ended(process, id)).toMatchObject({
        status: 'completed',
        costMicros: 2_000,
        budgetStop: null,
      });
      const resumed = await bench.events('run.resumed');
      expect(resumed.map(({ subject, actor }) => [subject, actor])).toEqual([[id, PERSON]]);
      const set = (await bench.events('budget.set')).map(({ subject, data }) => [subject, data.capMicros]);
      expect(set.filter(([, cap]) => cap === 9_000)).toEqual([[raised, 9_000]]);
    },
  );

  test('or taking it away', async () => {
    const { agentId, process } = await begin();
    await setCap(process, 'workspace', 900);
    const { id } = await process.createRun({ agentId });
    await paused(process, id);
    expect(await setCap(process, 'workspace', null)).toMatchObject({ capMicros: null, spentMicros: 1_000 });
    expect(await ended(process, id)).toMatchObject({ status: 'completed' });
  });

  test('goes on with none that another budget stopped, and none that a person paused', async () => {
    const { agentId, process } = await begin();
    await setCap(process, 'workspace', 100_000);
    const [own, held] = [
      await process.createRun({ agentId, capMicros: 900 }),
      await process.createRun({ agentId, capMicros: 900 }),
    ];
    await Promise.all([paused(process, own.id), paused(process, held.id)]);
    await process.json('POST', `${WORKSPACE}/runs/${held.id}/pause`, undefined, PERSON);
    await setCap(process, 'workspace', 200_000);
    expect(await runOf(process, own.id)).toMatchObject({ status: 'paused' });
    await setCap(process, `run:${own.id}`, 9_000);
    await setCap(process, `run:${held.id}`, 9_000);
    expect(await ended(process, own.id)).toMatchObject({ status: 'completed' });
    expect(await runOf(process, held.id)).toMatchObject({ status: 'paused' });
    await process.json('POST', `${WORKSPACE}/runs/${held.id}/resume`, undefined, PERSON);
    expect(await ended(process, held.id)).toMatchObject({ status: 'completed' });
  });

  test('just as the run comes to its pause still lets it go on', async () => {
    bench = await createBench(SCRIPT);
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const { id: conversationId } = bench.spaces.addConversation('chat', []);
    const port = bench.spaces.port();
    const raised = Promise.withResolvers<void>();
    const postMessage: typeof port.postMessage = async (...message) => {
      await raised.promise;
      return port.postMessage(...message);
    };
    const process = await bench.process({ deps: { spaces: { ...port, postMessage } } });
    const trigger = { kind: 'userMessage', id: null } as const;
    const { id } = await process.createRun({ agentId, conversationId, trigger, capMicros: 900 });
    // The stop is written down, and the run has still to say so when the cap is raised.
    await until(
      async () => process.points.includes('run.budgetStop:after'),
      (isThere) => isThere,
    );
    expect(await runOf(process, id)).toMatchObject({ status: 'running' });
    await setCap(process, `run:${id}`, 9_000);
    raised.resolve();
    expect(await ended(process, id)).toMatchObject({ status: 'completed', costMicros: 2_000 });
    expect((await bench.events('run.resumed')).map(({ actor }) => actor)).toEqual(['service:runs']);
  });
});

describe('what is said of a budget', () => {
  test('at four fifths once to the agent, once to people in the conversation, with its name', async () => {
    const { agentId, process } = await begin();
    const conversation = bench.spaces.addConversation('chat', []);
    await setCap(process, 'run', 2_200);
    await setCap(process, `agent:${agentId}`, 2_300);
    const { id } = await process.createRun({ agentId, conversationId: conversation.id });
    await ended(process, id);
    // 1,500 are 68 % of the one and 65 % of the other; with the fourth call both are past four fifths.
    expect((await bench.events('budget.warned')).map(({ data }) => data.target)).toEqual([
      `run:${id}`,
      `agent:${agentId}`,
    ]);
    const notices = await until(
      async () => bench.spaces.messages.filter(({ kind }) => kind === 'notice'),
      (all) => all.length === 2,
    );
    expect(notices.map(({ author }) => author)).toEqual(['service:runs', 'service:runs']);
    expect(notices[0]?.body).toStartWith(
      `The budget of the run ${id} with its sub-agents is nearly used: $0.002 of $0.0022 is spent.`,
    );
    expect(notices[1]?.body).toContain(`cctl budget set agent:${agentId} <dollars>`);
    // The next run of the agent begins past the mark, and is told of that budget alone.
    const { id: next } = await process.createRun({ agentId, conversationId: conversation.id });
    await paused(process, next);
    const told = await notesOf(process, next);
    expect(told).toHaveLength(1);
    expect(told[0]).toStartWith('The budget of the agent engineer for ');
    expect(told[0]).not.toContain('of the run');
    expect(bench.spaces.messages.filter(({ body }) => body.includes('is nearly used'))).toHaveLength(2);
  });

  test('again when the cap is another', async () => {
    bench = await createBench(
      turns(...Array.from({ length: 9 }, (_, index) => look(`p${index}`)), { text: 'Done.', usage }),
    );
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process();
    const { id } = await process.createRun({ agentId, capMicros: 1_100 });
    await paused(process, id);
    await setCap(process, `run:${id}`, 3_000);
    await until(
      () => runOf(process, id),
      ({ status, costMicros }) => status === 'paused' && costMicros === 3_000,
    );
    const told = await notesOf(process, id);
    expect(told.map((text) => /its cap is (\S+)\. /.exec(text)?.[1])).toEqual(['$0.0011', '$0.003']);
    const warned = await bench.events('budget.warned');
    expect(warned.map(({ data }) => data.capMicros)).toEqual([1_100, 3_000]);
    const reached = await bench.events('budget.reached');
    expect(reached.map(({ data }) => data.capMicros)).toEqual([1_100, 3_000]);
  });

  test('at the cap: which one, what is spent, and how to raise it, in the conversation too', async () => {
    const { agentId, process } = await begin();
    const conversation = bench.spaces.addConversation('chat', []);
    await setCap(process, 'workspace', 900);
    const { id } = await process.createRun({ agentId, conversationId: conversation.id });
    const { summary } = await paused(process, id);
    const month = new Date().toISOString().slice(0, 7);
    const start = `The budget of this workspace for ${month} is used up: $0.001 of $0.0009 is spent.`;
    expect(summary).toStartWith(`${start} Raise it with \`cctl budget set workspace <dollars>\``);
    await until(
      async () => bench.spaces.messages.map(({ body }) => body),
      (bodies) => bodies.some((body) => body.startsWith(`The run is paused (budget): ${start}`)),
    );
  });

  test('of a model without a price: its name and the budget that refuses it', async () => {
    bench = await createBench(SCRIPT);
    const { id: agentId } = bench.spaces.addAgent('engineer', { modelId: 'unpriced-model' });
    const process = await bench.process();
    await setCap(process, `agent:${agentId}`, 1_000_000);
    const { id } = await process.createRun({ agentId });
    const run = await paused(process, id);
    expect(run).toMatchObject({ errorFamily: 'budget', budgetStop: { reason: 'price_unknown' } });
    expect(run.summary).toContain(
      'The model unpriced-model has no known price. The budget of the agent engineer',
    );
    expect(bench.model.requests).toEqual([]);
    // More money gives no price: nothing goes on. Without the cap it does.
    await setCap(process, `agent:${agentId}`, 9_000_000);
    expect(await runOf(process, id)).toMatchObject({ status: 'paused' });
    await setCap(process, `agent:${agentId}`, null);
    expect(await ended(process, id)).toMatchObject({ status: 'completed', costMicros: null });
  });
});

describe('the budgets of a workspace', () => {
  test('are listed: every run, the workspace, its agents, and what has a cap of its own', async () => {
    const { agentId, process } = await begin();
    bench.spaces.addAgent('idle');
    await setCap(process, 'run', 900);
    await process.json('PUT', `${WORKSPACE}/budgets/orc_1`, { capMicros: 7_000 });
    const { id } = await process.createRun({ agentId, capMicros: 800, budgetScope: 'orc_1' });
    await paused(process, id);
    const { items } = await process.json<{ items: Budget[] }>('GET', `${WORKSPACE}/budgets`);
    const month = new Date().toISOString().slice(0, 7);
    const known = { spentMicros: 1_000, reservedMicros: 0, unknownCalls: 0, unknownMicros: 0 };
    const none = { spentMicros: null, reservedMicros: null, unknownCalls: null, unknownMicros: null };
    expect(items).toEqual([
      { target: 'run', scope: null, capMicros: 900, ...none },
      { target: 'workspace', scope: `workspace/${month}`, capMicros: null, ...known },
      { target: `agent:${agentId}`, scope: `agent:${agentId}/${month}`, capMicros: null, ...known },
      { target: `run:${id}`, scope: `run:${id}`, capMicros: 800, ...known },
      { target: 'orc_1', scope: 'orc_1', capMicros: 7_000, ...known },
    ]);
  });

  test('are set by people, those of orchestrations by services, and by nobody for what there is not', async () => {
    const { agentId, process } = await begin();
    const put = async (
      target: string,
      actor: typeof PERSON | 'service:x' | `agent:${string}`,
      capMicros: unknown = 5,
    ) => (await process.call('PUT', `${WORKSPACE}/budgets/${target}`, { capMicros }, actor)).status;
    expect(await put('workspace', PERSON)).toBe(200);
    expect(await put(`agent:${agentId}`, PERSON, null)).toBe(200);
    for (const target of ['run', 'workspace', `agent:${agentId}`]) {
      expect(await put(target, 'service:x')).toBe(403);
      expect(await put(target, `agent:${agentId}`)).toBe(403);
    }
    expect(await put('orc_1', PERSON)).toBe(403);
    expect(await put('orc_1', 'service:x')).toBe(200);
    expect(await put('agent:agt_none', PERSON)).toBe(404);
    expect(await put('run:run_none', PERSON)).toBe(404);
    for (const capMicros of [0, -1, 1.5, '5', {}])
      expect(await put('workspace', PERSON, capMicros)).toBe(400);
    for (const budgetScope of ['workspace', 'run', 'agent:x', 'run:x', 'workspace/2026-11']) {
      const taken = { agentId, budgetScope, prompt: 'x', trigger: { kind: 'assignment' } };
      expect((await process.call('POST', `${WORKSPACE}/runs`, taken)).status).toBe(400);
    }
  });

  test('begin anew with the month; a call counts in the month in which it began', async () => {
    bench = await createBench(SCRIPT);
    const { id: agentId } = bench.spaces.addAgent('engineer');
    let now = Date.UTC(2026, 10, 30, 23, 59);
    const process = await bench.process({ deps: { clock: () => now } });
    await setCap(process, 'workspace', 900);
    const { id } = await process.createRun({ agentId });
    await paused(process, id);
    expect(await setCap(process, 'workspace', 901)).toMatchObject({
      scope: 'workspace/2026-11',
      spentMicros: 1_000,
    });
    now = Date.UTC(2026, 11, 1);
    await process.json('POST', `${WORKSPACE}/runs/${id}/resume`, undefined, PERSON);
    expect(await ended(process, id)).toMatchObject({ status: 'completed', costMicros: 2_000 });
    const { scope, spentMicros } = await process.json<Budget>('GET', `${WORKSPACE}/budgets/workspace`);
    expect([scope, spentMicros]).toEqual(['workspace/2026-12', 2 * CALL_MICROS]);
  });
});

async function notesOf(process: Process, id: string): Promise<string[]> {
  const { items } = await process.json<{ items: { entry: { cause?: string; text: string } }[] }>(
    'GET',
    `${WORKSPACE}/runs/${id}/entries`,
  );
  return items.filter(({ entry }) => entry.cause === 'budget').map(({ entry }) => entry.text);
}
