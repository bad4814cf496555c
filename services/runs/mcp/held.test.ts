import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ACTOR_HEADER } from '../../kit/actor.ts';
import type { McpTimes } from '../deps.ts';
import { agentActor } from '../runs/run.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import { RUN_HEADER } from './run-token.ts';
import { read, said } from './test-world.ts';

let bench: Bench;
let run: Run;
let ends: (() => Promise<void>)[];

beforeEach(async () => {
  ends = [];
  bench = await createBench(turns({ tools: [{ name: 'ask_user', input: { question: 'Which?' } }] }));
});
afterEach(async () => {
  for (const end of ends) await end();
  await bench.close();
});

/** A process that serves one run, which waits for a person; a second one goes on with the same run. */
async function serve(mcp: McpTimes = {}): Promise<{ process: Process; client: Client }> {
  const process = await bench.process({ deps: { mcp } });
  if (bench.spaces.agents.size === 0) {
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
    run = await process.settled((await process.createRun({ agentId, conversationId })).id);
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: (request) => {
      const inner = new Request(request);
      inner.headers.set(ACTOR_HEADER, agentActor(run.agentId));
      inner.headers.set(RUN_HEADER, run.id);
      return process.service.app.fetch(inner);
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url.origin}/api/workspaces/${WORKSPACE}/mcp`)),
  );
  ends.push(() => client.close());
  ends.push(() => server.stop(true));
  return { process, client };
}

const push = { name: 'run_command', arguments: { command: 'echo pushed >> pushed.txt # git push' } };
const actions = () => [...bench.spaces.approvals.values()].filter(({ kind }) => kind === 'action');
const asked = () =>
  until(
    async () => actions().filter(({ status }) => status === 'pending'),
    (all) => all.length > 0,
  );
const pushes = async (client: Client) =>
  said(await client.callTool({ name: 'read_file', arguments: { path: 'pushed.txt' } })).text;

test('a client that wants to hear so is told that its call still waits', async () => {
  const { client } = await serve({ beatMs: 10 });
  const { promise: third, resolve } = Promise.withResolvers<void>();
  const heard: (string | undefined)[] = [];
  const onprogress = ({ message }: { message?: string | undefined }) => {
    if (heard.push(message) === 3) resolve();
  };
  const calling = client.callTool(push, undefined, { onprogress });
  await third;
  const [approval] = await asked();
  expect(new Set(heard)).toEqual(new Set([`waits for ${approval?.id}`]));
  await bench.spaces.decide(approval?.id ?? '', 'approved');
  expect(said(await calling).isError).toBe(false);
});

test('after the longest wait the client is told, and the same call made again uses what was decided since', async () => {
  const { client } = await serve({ heldMs: 50 });
  const { error } = read(await client.callTool(push));
  const [approval] = await asked();
  expect(error).toMatchObject({ code: 'timeout', retryable: true, detail: { waitingFor: approval?.id } });
  expect(read(await client.callTool(push)).error.detail).toEqual({ waitingFor: approval?.id });
  await bench.spaces.decide(approval?.id ?? '', 'approved');
  expect(said(await client.callTool(push)).isError).toBe(false);
  expect(await pushes(client)).toContain('pushed');
  expect(actions().length).toBe(1);
  expect(read(await client.callTool(push)).error.code).toBe('timeout');
  expect(actions().length).toBe(2);
});

test('a question is asked once, however often the client comes back for the answer', async () => {
  const { client } = await serve({ heldMs: 50 });
  const question = { name: 'ask_user', arguments: { question: 'And this?' } };
  expect(read(await client.callTool(question)).error.code).toBe('timeout');
  expect(read(await client.callTool(question)).error.code).toBe('timeout');
  const mine = [...bench.spaces.approvals.values()].filter(
    ({ arguments: args }) => args.question === 'And this?',
  );
  expect(mine.length).toBe(1);
  await bench.spaces.decide(mine[0]?.id ?? '', 'approved', { answer: 'That.' });
  expect(said(await client.callTool(question)).text).toContain('That.');
});

test('a process that ends lets go of the calls that wait, and the next one goes on with them', async () => {
  const { process, client } = await serve();
  const calling = client.callTool(push);
  const [approval] = await asked();
  await process.stop();
  expect(read(await calling).error).toMatchObject({ code: 'unavailable', retryable: true });
  await bench.spaces.decide(approval?.id ?? '', 'approved');
  const next = await serve();
  expect(said(await next.client.callTool(push)).isError).toBe(false);
  expect(actions().length).toBe(1);
});

test('a command that was cut off is not run again under its id, and its end is not made up', async () => {
  const { process, client } = await serve();
  const command = 'echo begun >> begun.txt; while true; do read -t 1 < /dev/zero || true; done';
  const params = {
    name: 'run_command',
    arguments: { command },
    _meta: { 'claudecode/toolUseId': 'toolu_cut' },
  };
  const calling = client.callTool(params).catch((error: unknown) => error);
  const reading = { name: 'read_file', arguments: { path: 'begun.txt' } };
  await until(
    async () => said(await client.callTool(reading)),
    ({ isError }) => !isError,
  );
  await process.stop();
  await calling;
  const next = await serve();
  const { text, isError } = said(await next.client.callTool(params));
  expect([isError, text.includes('interrupted by a restart')]).toEqual([true, true]);
  expect(said(await next.client.callTool(reading)).text.match(/begun/g)?.length).toBe(1);
});

test('a run that is paused or has not begun makes no calls', async () => {
  const { client } = await serve();
  const database = await (await bench.process()).databases.open(WORKSPACE);
  for (const set of [`phase = 'paused', status = 'paused'`, `phase = 'queued', startedAt = NULL`]) {
    await database.write('test', [{ sql: `UPDATE runs SET ${set} WHERE id = ?`, args: [run.id] }]);
    expect(read(await client.callTool({ name: 'list_files' })).error.code).toBe('wrong_status');
  }
});
