import { afterEach, expect, test } from 'bun:test';
import { createJournal } from '../entries/journal.ts';
import type { CompactionEntry } from '../harness/journal.ts';
import { createModelCatalogue, type ModelEntry } from '../models/catalogue.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import type { Budget } from './schema.ts';

/** What reported usage costs, to the micro-dollar: over HTTP, through the journal, into every budget of the run. */

interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
}

type Call = [name: string, input: Record<string, unknown>];

/** One answer as a server streams it: usage at the start, then in each delta, running totals all of them. */
interface Answer {
  id: string;
  usages: (Usage | undefined)[];
  /** Without any the answer is the last. */
  calls?: Call[];
  /** The stream ends in an error event after it has reported its usage. */
  isCut?: boolean;
}

const PRICES = {
  ...{ inputMicrosPerMTok: 3_000_000, outputMicrosPerMTok: 15_000_000, cacheReadMicrosPerMTok: 300_000 },
  ...{ cacheWriteMicrosPerMTok: 3_750_000, cacheWrite1hMicrosPerMTok: 6_000_000 },
};
const ENTRY: ModelEntry = {
  ...{ id: 'table-model', provider: 'anthropic', contextTokens: 200_000, maxOutputTokens: 1_000 },
  ...{ effort: [], media: [], prices: PRICES },
};
const LOOK: Call = ['list_tickets', {}];
const again = (projectId: string): Call => ['list_tickets', { projectId }];

let bench: Bench;
let server: ReturnType<typeof Bun.serve> | null = null;
afterEach(async () => {
  await bench.close();
  await server?.stop(true);
});

function eventsOf({ id, usages: [first, ...later], calls = [], isCut }: Answer): object[] {
  const message = { id, type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
  const start = { type: 'message_start', message: { ...message, stop_sequence: null, usage: first } };
  if (isCut) {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    return [start, ...later.map((usage) => ({ type: 'message_delta', delta: {}, usage })), error];
  }
  const delta = { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null };
  const said = blockEvents(0, { type: 'text', text: 'Done.' });
  return [
    start,
    ...(calls.length === 0 ? said : calls.flatMap((call, index) => callEvents(id, call, index))),
    ...(later.length === 0 ? [{ type: 'message_delta', delta }] : []),
    ...later.map((usage) => ({ type: 'message_delta', delta, usage })),
    { type: 'message_stop' },
  ];
}

function callEvents(id: string, [name, input]: Call, index: number): object[] {
  const block = { type: 'tool_use', id: `call_${id}_${index}`, name, input: {} };
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
  return blockEvents(index, block, { type: 'content_block_delta', index, delta });
}

function blockEvents(index: number, block: object, ...deltas: object[]): object[] {
  const start = { type: 'content_block_start', index, content_block: block };
  return [start, ...deltas, { type: 'content_block_stop', index }];
}

/** Answers in this order, whoever asks. */
function serve(answers: readonly Answer[]): string {
  const left = [...answers];
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request: Request) => {
      await request.json();
      const answer = left.shift();
      if (answer === undefined) return new Response('nothing is left to say', { status: 400 });
      const lines = eventsOf(answer).map(
        (event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  return String(server.url);
}

async function runThrough(answers: readonly Answer[], capMicros: number | null = null) {
  bench = await createBench(turns());
  const baseUrl = serve(answers);
  const models = createModelCatalogue({ baseUrl, apiKey: 'k', defaultModel: ENTRY.id, entries: [ENTRY] });
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process({ deps: { models } });
  const { id } = await process.createRun({ agentId, budgetScope: 'orc_1', capMicros });
  const run = await process.settled(id);
  return { run, agentId, process, budgets: await budgetsOf(process, run, agentId) };
}

const budgetsOf = (process: Process, { id }: Run, agentId: string) =>
  Promise.all(
    [`run:${id}`, 'orc_1', `agent:${agentId}`, 'workspace'].map((target) =>
      process.json<Budget>('GET', `${WORKSPACE}/budgets/${target}`),
    ),
  );

const INPUT = { input_tokens: 1_000, output_tokens: 1 };

test.each<[string, Answer[], number]>([
  [
    'running totals of one answer are compared, not added',
    [{ id: 'msg_1', usages: [INPUT, { output_tokens: 10 }, { output_tokens: 250 }] }],
    1_000 * 3 + 250 * 15,
  ],
  [
    'each way to read and write the cache has its price, and the sum is rounded once',
    [
      {
        id: 'msg_1',
        usages: [
          {
            ...{ input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 11_111 },
            ...{ cache_creation_input_tokens: 2_222 },
            cache_creation: { ephemeral_5m_input_tokens: 2_000, ephemeral_1h_input_tokens: 222 },
          },
          { output_tokens: 33 },
        ],
      },
    ],
    // 21 + 3,333.3 + 7,500 + 1,332 + 495
    12_681,
  ],
  [
    'half a micro-dollar is rounded up',
    [{ id: 'msg_1', usages: [{ input_tokens: 0, cache_read_input_tokens: 5 }, { output_tokens: 1 }] }],
    // 15 + 1.5
    17,
  ],
  [
    'every answer of a run counts',
    [
      { id: 'msg_1', usages: [INPUT, { output_tokens: 100 }], calls: [LOOK] },
      { id: 'msg_2', usages: [INPUT, { output_tokens: 200 }], calls: [again('a')] },
      { id: 'msg_3', usages: [INPUT, { output_tokens: 300 }] },
    ],
    3 * 3_000 + 600 * 15,
  ],
  [
    'an answer that comes again under its old id counts once',
    [
      { id: 'msg_1', usages: [INPUT, { output_tokens: 100 }], calls: [LOOK] },
      { id: 'msg_1', usages: [INPUT, { output_tokens: 100 }], calls: [LOOK] },
      { id: 'msg_2', usages: [INPUT, { output_tokens: 300 }] },
    ],
    2 * 3_000 + 400 * 15,
  ],
  [
    'a try that failed counts nothing, whatever it had reported: what of it is charged is not known',
    [
      { id: 'msg_1', usages: [INPUT, { output_tokens: 777 }], isCut: true },
      { id: 'msg_2', usages: [INPUT, { output_tokens: 300 }] },
    ],
    3_000 + 300 * 15,
  ],
])(
  '%s',
  async (_, answers, costMicros) => {
    const { run, budgets } = await runThrough(answers, 100_000_000);
    expect(run).toMatchObject({ status: 'completed', costMicros });
    for (const budget of budgets) {
      expect(budget).toMatchObject({
        spentMicros: costMicros,
        reservedMicros: 0,
        unknownCalls: 0,
        unknownMicros: 0,
      });
    }
  },
  20_000,
);

test('what an answer cost that reports no usage is unknown, and counts as the most it can have been', async () => {
  const answers = [
    { id: 'msg_1', usages: [INPUT, { output_tokens: 100 }], calls: [LOOK] },
    { id: 'msg_2', usages: [undefined] },
  ];
  const { run, budgets } = await runThrough(answers, 100_000_000);
  expect(run).toMatchObject({ status: 'completed', costMicros: null });
  for (const { spentMicros, unknownCalls, unknownMicros, reservedMicros } of budgets) {
    expect({ spentMicros, unknownCalls, reservedMicros }).toEqual({
      ...{ spentMicros: 3_000 + 100 * 15, unknownCalls: 1, reservedMicros: 0 },
    });
    // All the output that the call asked for, and a prompt of some hundreds of tokens.
    expect(unknownMicros).toBeGreaterThan(ENTRY.maxOutputTokens * 15);
  }
});

test('a server that reports no usage cannot spend beyond a cap', async () => {
  const silent: Answer[] = Array.from({ length: 30 }, (_, index) => ({
    ...{ id: `msg_${index}`, usages: [undefined], calls: [again(`p${index}`)] },
  }));
  const { run, process } = await runThrough(silent, 60_000);
  expect(run).toMatchObject({ status: 'paused', errorFamily: 'budget', costMicros: null });
  const { spentMicros, unknownMicros, unknownCalls } = await process.json<Budget>(
    'GET',
    `${WORKSPACE}/budgets/run:${run.id}`,
  );
  expect(spentMicros).toBe(0);
  expect(unknownMicros).toBeGreaterThanOrEqual(60_000);
  expect(unknownCalls).toBeLessThan(5);
  expect(run.summary).toContain(`the unknown cost of ${unknownCalls} calls`);
});

test('sub-agents in parallel cost on their own rows, and once in every budget of their root', async () => {
  const part = (task: string): Call => ['run_subagent', { task }];
  const answers: Answer[] = [
    { id: 'msg_root', usages: [INPUT, { output_tokens: 10 }], calls: [part('one'), part('two')] },
    { id: 'msg_one', usages: [INPUT, { output_tokens: 20 }] },
    { id: 'msg_two', usages: [INPUT, { output_tokens: 25 }] },
    { id: 'msg_end', usages: [INPUT, { output_tokens: 30 }] },
  ];
  bench = await createBench(turns());
  const models = createModelCatalogue({
    ...{ baseUrl: serve(answers), apiKey: 'k', defaultModel: ENTRY.id, entries: [ENTRY] },
  });
  const [first, second] = [bench.spaces.addAgent('engineer'), bench.spaces.addAgent('reviewer')];
  const process = await bench.process({ deps: { models } });
  const { id } = await process.createRun({ agentId: first.id, budgetScope: 'orc_1' });
  const root = await until(
    () => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`),
    ({ endedAt }) => endedAt !== null,
  );
  const whole = 4 * 3_000 + 85 * 15;
  expect(root.costMicros).toBe(2 * 3_000 + 40 * 15);
  const spent = (await budgetsOf(process, root, first.id)).map(({ spentMicros }) => spentMicros);
  expect(spent).toEqual([whole, whole, whole, whole]);
  const other = await process.json<Budget>('GET', `${WORKSPACE}/budgets/agent:${second.id}`);
  expect(other).toMatchObject({ spentMicros: 0, capMicros: null });
});

test('the call that writes a summary costs as an answer does, once for its id', async () => {
  bench = await createBench(turns({ text: 'Late.', delayMs: 20_000 }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, budgetScope: 'orc_1', capMicros: 50_000 });
  await bench.model.waitForRequest(() => true);
  const database = await process.databases.open(WORKSPACE);
  const [row] = await database.read({ sql: 'SELECT epoch FROM runs WHERE id = ?', args: [id] });
  const journal = createJournal({
    ...{ workspaceId: WORKSPACE, runId: id, rootRunId: id, epoch: Number(row?.epoch), agentId },
    ...{ agentName: 'engineer', budgetScope: 'orc_1', conversationId: null, model: 'm', secrets: [] },
    names: async () => String,
    ...{ open: async () => database, clock: Date.now, wakes: process.databases.wakes },
    signal: new AbortController().signal,
    beforeCall: () => undefined,
    beforeWrite: () => undefined,
  });
  const summary: CompactionEntry = {
    ...{ kind: 'compaction', turns: 3, summary: 'So far.', messageId: 'msg_sum', model: 'm' },
    usage: { input: 9_000, output: 700, cacheRead: 0, cacheWrite: 0 },
    costMicros: 9_700,
  };
  expect(await journal.reserve(20_000)).toMatchObject({ admitted: true });
  for (const _ of [1, 2]) await journal.compact(summary);
  const run = await process.json<Run>('GET', `${WORKSPACE}/runs/${id}`);
  expect(run).toMatchObject({ costMicros: 9_700, tokens: { input: 9_000, output: 700 } });
  for (const { spentMicros, reservedMicros } of await budgetsOf(process, run, agentId)) {
    expect([spentMicros, reservedMicros]).toEqual([9_700, 0]);
  }
  await process.json('POST', `${WORKSPACE}/runs/${id}/cancel`);
});
