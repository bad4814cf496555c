import { afterAll, describe, expect, test } from 'bun:test';
import type { MessagesRequest } from '../../../test/model/messages-request.ts';
import { type ScriptedModel, startScriptedModel } from '../../../test/model/server.ts';
import type { Entry } from './journal.ts';
import { createCountingTools, result, tool } from './test-doubles/counting-tools.ts';
import { createMemoryJournal, Killed } from './test-doubles/memory-journal.ts';
import { problemsOf, runAgainst } from './test-doubles/scripted-run.ts';

const TURNS = 30;
/** A prompt and a surface of the size that a real agent has. */
const SYSTEM = [
  { text: 'You are an engineer of this workspace. '.repeat(250), cache: true },
  { text: 'The conversation is about the parser.', cache: false },
];
const TOOLS = [
  ...Array.from({ length: 20 }, (_, at) => tool(`tool_${at}`, { description: 'Does a thing. '.repeat(30) })),
  tool('read_file'),
  tool('write_file', { tier: 'write' }),
  tool('ask_user', { keyed: true }),
];

const models: ScriptedModel[] = [];
afterAll(() => Promise.all(models.map((model) => model.stop())));

/** Reads, thinks and writes for 29 answers, asks a person once, and is done with the thirtieth. */
function startTask(): ScriptedModel {
  const turn = ({ messages }: MessagesRequest) => {
    const at = messages.filter(({ role }) => role === 'assistant').length;
    if (at === TURNS - 1) return { text: 'Done.' };
    if (at === 12)
      return {
        tools: [
          { name: 'ask_user', input: {} },
          { name: 'read_file', input: { at } },
        ],
      };
    const names = at % 3 === 0 ? ['read_file', 'read_file', 'read_file'] : ['write_file'];
    return {
      thinking: `Thought ${at}.`,
      text: `Step ${at}.`,
      tools: names.map((name) => ({ name, input: { at } })),
    };
  };
  const model = startScriptedModel({ name: 'task', dialogues: [], otherwise: turn });
  models.push(model);
  return model;
}

function toolsOfTask() {
  const asked = new Set<string>();
  return createCountingTools(TOOLS, {
    read_file: () => result('content '.repeat(60)),
    write_file: () => result('Written.'),
    ask_user: ({ callId }) => {
      if (asked.has(callId)) return result('Yes.');
      asked.add(callId);
      return { kind: 'suspend', waitingFor: 'apr_1' };
    },
  });
}

/** Each prompt after the first: its part that was read from the cache, and whether all of the one before was. */
function reads(entries: readonly Entry[]): { share: number; isAll: boolean }[] {
  const usages = entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.usage] : []));
  const prompts = usages.map(({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite);
  return usages.slice(1).map(({ cacheRead }, at) => {
    // Tokens are rounded up at two places.
    return { share: cacheRead / (prompts[at + 1] ?? 0), isAll: cacheRead >= (prompts[at] ?? 0) - 1 };
  });
}

function expectCached(entries: readonly Entry[]): void {
  const found = reads(entries);
  expect(found).toHaveLength(TURNS - 1);
  expect(found.every(({ isAll }) => isAll)).toBe(true);
  expect(Math.min(...found.map(({ share }) => share))).toBeGreaterThanOrEqual(0.9);
}

/** Every request begins as the one before it did, cache marks aside. */
function expectStablePrefixes(model: ScriptedModel): void {
  const plain = (value: unknown) =>
    JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));
  for (const [at, { body }] of model.requests.entries()) {
    const before = model.requests[at - 1]?.body;
    if (before === undefined) continue;
    expect(plain([body.system, body.tools])).toBe(plain([before.system, before.tools]));
    const start = plain(before.messages).slice(0, -1);
    expect(plain(body.messages).startsWith(start)).toBe(true);
  }
}

describe('the prompt cache on a task of thirty answers', () => {
  const job = { system: SYSTEM, maxTurns: 60, effort: 'high' };

  async function drive(options: { inbox?: string[]; lives?: number[] } = {}) {
    const model = startTask();
    const tools = toolsOfTask();
    let entries: Entry[] = [];
    for (const commits of options.lives ?? []) {
      const journal = createMemoryJournal({ entries, commits });
      const life = runAgainst(model.url, { journal, tools, job });
      await life.catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      entries = journal.entries;
    }
    const journal = createMemoryJournal({ entries, inbox: options.inbox ?? [] });
    for (let life = 0; life < 3; life++) {
      const { outcome } = await runAgainst(model.url, { journal, tools, job });
      if (outcome.status !== 'suspended') break;
    }
    expect(problemsOf(model)).toEqual([]);
    expectStablePrefixes(model);
    return { journal, model };
  }

  test('serves nine tenths of each prompt after the first', async () => {
    const { journal } = await drive();
    expectCached(journal.entries);
  });

  test('does so through restarts at any point and a message of a person', async () => {
    const { journal } = await drive({ lives: [9, 25, 2, 31], inbox: ['Mind the tests, please.'] });
    expectCached(journal.entries);
  });
});
