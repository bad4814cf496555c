import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { ScriptedTurn } from '../model/script.ts';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  post,
  runOf,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  until,
  type World,
} from './world.ts';

const fault = (value: ScriptedTurn['fault'] & object): ScriptedTurn => ({ text: 'never said', fault: value });
const always = Number.POSITIVE_INFINITY;
/** The server asks for a longer wait than a run sits out, so that it pauses at the first try. */
const LONG_WAIT = { retryAfterSeconds: 3_600, times: always };

interface Case {
  word: string;
  turns: ScriptedTurn[];
  run: Json;
  /** What the conversation shows after the message. */
  shows: RegExp[];
}

const CASES: Case[] = [
  {
    word: 'a body that is no stream',
    turns: [{ text: 'In the end.', fault: { kind: 'rubbish' } }],
    run: { status: 'completed', summary: 'In the end.' },
    shows: [/^In the end\.$/],
  },
  {
    word: 'a stream that is cut',
    turns: [{ text: 'In the end.', fault: { kind: 'cut' } }],
    run: { status: 'completed', summary: 'In the end.' },
    shows: [/^In the end\.$/],
  },
  {
    word: 'overload in the stream',
    turns: [{ text: 'In the end.', fault: { kind: 'overloaded_in_stream' } }],
    run: { status: 'completed', summary: 'In the end.' },
    shows: [/^In the end\.$/],
  },
  {
    word: 'a refusal',
    turns: [{ text: 'No.', stopReason: 'refusal' }],
    run: {
      status: 'failed',
      liveness: 'failed',
      errorFamily: 'refused',
      summary: expect.stringContaining('The model refused to go on.'),
    },
    shows: [/^The run failed \(refused\): The model refused/],
  },
  {
    word: 'an empty answer',
    turns: [{}],
    run: { status: 'completed', liveness: 'empty', errorFamily: 'silentRun' },
    shows: [/^The run ended without a result \(silentRun\)/],
  },
  {
    word: 'a bad key',
    turns: [fault({ kind: 'status', status: 401, times: always })],
    run: {
      status: 'paused',
      liveness: 'blocked',
      errorFamily: 'authentication',
      summary: expect.stringContaining('401'),
    },
    shows: [/^The run is paused \(authentication\): .*401[\s\S]*cctl runs resume run_/],
  },
  {
    word: 'no money',
    turns: [fault({ kind: 'status', status: 402, times: always })],
    run: { status: 'paused', errorFamily: 'authentication' },
    shows: [/^The run is paused/],
  },
  {
    word: 'a bad request',
    turns: [fault({ kind: 'status', status: 400, message: 'max_tokens: too odd', times: always })],
    run: {
      status: 'failed',
      errorFamily: 'invalidRequest',
      summary: expect.stringContaining('max_tokens: too odd'),
    },
    shows: [/^The run failed \(invalidRequest\)/],
  },
  {
    word: 'too long',
    turns: [fault({ kind: 'status', status: 413, times: always })],
    run: { status: 'failed', errorFamily: 'contextOverflow' },
    shows: [/^The run failed \(contextOverflow\)/],
  },
  {
    word: 'no such model',
    turns: [fault({ kind: 'status', status: 404, times: always })],
    run: { status: 'failed', errorFamily: 'invalidRequest' },
    shows: [/^The run failed/],
  },
  {
    word: 'endless overload',
    turns: [fault({ kind: 'status', status: 529, ...LONG_WAIT })],
    run: { status: 'paused', liveness: 'blocked', errorFamily: 'overloaded' },
    shows: [/^The run is paused \(overloaded\)/],
  },
  {
    word: 'a limit of rate',
    turns: [fault({ kind: 'status', status: 429, ...LONG_WAIT })],
    run: { status: 'paused', errorFamily: 'rateLimited' },
    shows: [/^The run is paused \(rateLimited\)/],
  },
];

let world: World;
let ws: string;
let ceo: string;

beforeAll(async () => {
  const hello = onWord('hello', { text: 'Hello to you.' });
  world = await createWorld(
    scriptOf(hello, ...CASES.map(({ word, turns }) => onWord(word, ...turns)), ...TOOLS),
  );
  const workspace = await founded(world, 'alpha');
  ws = workspace.ws;
  ceo = workspace.agents.ceo!;
});
afterAll(() => world.end());

const TOOLS = [
  onWord(
    'broken calls',
    { tools: [toolCall('list_agents', { a: 'some words' })], fault: { kind: 'broken_tool_json' } },
    { tools: [toolCall('launch_rocket', {}), toolCall('list_agents', { depth: 3 })] },
    {
      tools: [
        toolCall('write_file', { path: 'a', content: 'b' }),
        toolCall('post_message', { body: 'half \ud800 \0 pair' }),
      ],
    },
    { tools: [toolCall('post_message', { body: ['not text'] })] },
    { text: 'Half a pair \ud800 of words.' },
  ),
];

async function bodiesAfter(space: Json): Promise<string[]> {
  const { items } = await world.ok('GET', `${ws}/conversations/${space.mainConversationId}/messages`);
  return items.slice(1).map(({ body }: Json) => body);
}

test.each(CASES)('$word', async ({ word, run, shows }) => {
  const space = await spaceWith(world, ws, ceo);
  expect(await said(world, ws, space, word)).toMatchObject(run);
  const bodies = await until(
    () => bodiesAfter(space),
    (found) => found.length >= shows.length,
  );
  expect(bodies.length).toBe(shows.length);
  for (const [i, pattern] of shows.entries()) expect(bodies[i]).toMatch(pattern);
  if (run.status === 'paused') return isKept(space);
  expect(await said(world, ws, space, 'hello')).toMatchObject({
    status: 'completed',
    summary: 'Hello to you.',
  });
});

/** What is said to a paused run waits for it, and people are told so. */
async function isKept(space: Json): Promise<void> {
  await post(world, ws, space, 'hello');
  const kept = await until(
    async () => (await bodiesAfter(space)).find((body) => body.startsWith('Your message is kept')),
    (body) => body !== undefined,
  );
  expect(kept).toMatch(/The run is paused: [\s\S]*cctl runs resume run_/);
}

test('calls that cannot be are answered with what there is, and the run goes on', async () => {
  const space = await spaceWith(world, ws, ceo);
  const run = await said(world, ws, space, 'broken calls');
  expect(run).toMatchObject({ status: 'completed', liveness: 'progressing' });
  expect(run.summary).toBe('Half a pair \ufffd of words.');
  const results = await toolResults(world, ws, run.id);
  expect(results.map(({ isError }) => isError)).toEqual([true, true, true, true, true, true]);
  const [json, unknown, extra, foreign, text, list] = results.map(({ content }) => content as string);
  expect(json).toContain('not a valid JSON object');
  expect(unknown).toContain('There is no tool "launch_rocket" here. The tools are: ');
  expect(extra).toContain('depth');
  expect(foreign).toContain('There is no tool "write_file" here.');
  expect(text).toContain('body: must be well-formed Unicode');
  expect(list).toContain('- body: ');
});

test('a run that is paused goes on when its cause is mended', async () => {
  const space = await spaceWith(world, ws, ceo);
  const { message } = await post(world, ws, space, 'a bad key');
  const { id } = await runOf(world, ws, message.id);
  world.model.setScript(scriptOf(onWord('a bad key', { text: 'The key works now.' })));
  await world.ok('POST', `${ws}/runs/${id}/resume`);
  const ended = await until(
    () => world.ok('GET', `${ws}/runs/${id}`),
    ({ status }) => status === 'completed',
  );
  expect(ended).toMatchObject({ errorFamily: null, summary: 'The key works now.' });
});
