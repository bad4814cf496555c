import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { blocksOf } from '../../../test/model/messages-request.ts';
import { checkRequest } from '../../../test/model/validate-request.ts';
import { createModelCatalogue } from '../models/catalogue.ts';
import { planContext } from './context-plan.ts';
import { readConversation } from './conversation.ts';
import type { HarnessJob } from './job.ts';
import type { Entry } from './journal.ts';
import { buildRequest, frameOf } from './request.ts';
import { anyJournal, OFFERED } from './test-doubles/arbitrary-journal.ts';
import { TEST_MODEL } from './test-doubles/scripted-run.ts';
import { transcriptOf } from './transcript.ts';

const model = createModelCatalogue({ entries: [TEST_MODEL], defaultModel: TEST_MODEL.id }).resolve(null);

function jobWith(overrides: Partial<HarnessJob> = {}): HarnessJob {
  return {
    runId: 'run_1',
    system: [{ text: 'You are an agent.', cache: true }],
    prompt: 'Work.',
    model,
    effort: 'high',
    exitVerb: null,
    outputSchema: null,
    maxTurns: 10,
    contextTokens: null,
    ...overrides,
  };
}

function requestOf(entries: readonly Entry[], job: HarnessJob) {
  const conversation = readConversation(entries);
  const plan = planContext(conversation, frameOf(job, OFFERED), true);
  const request = buildRequest(job, OFFERED, conversation, plan, new Map());
  return { request, plan };
}

/** The request as it goes over the wire. */
function wire(entries: readonly Entry[], job = jobWith()) {
  const { request } = requestOf(entries, job);
  return JSON.parse(JSON.stringify({ ...request, stream: true })) as Record<string, unknown>;
}

function messagesOf(entries: readonly Entry[]) {
  return transcriptOf(readConversation(entries), {
    ...{ cleared: new Map(), thinkingFrom: 0, media: new Map() },
    modelId: model.id,
  });
}

describe('the request', () => {
  test('of every prefix of every journal is valid', () => {
    fc.assert(
      fc.property(anyJournal, fc.constantFrom(null, 2_000), (entries, contextTokens) => {
        for (let length = 0; length <= entries.length; length++) {
          const verdict = checkRequest(
            wire(entries.slice(0, length), jobWith({ contextTokens })),
            new Set(),
            true,
          );
          expect(verdict.problem).toBeNull();
        }
      }),
      { numRuns: 150 },
    );
  }, 20_000);

  test('is an exact start of every later one, so that the cache and the signed thinking hold', () => {
    fc.assert(
      fc.property(anyJournal, (entries) => {
        const whole = messagesOf(entries);
        for (const [at, entry] of entries.entries()) {
          const asked = messagesOf(entries.slice(0, at));
          if (entry.kind !== 'answer' || messagesOf(entries.slice(0, at + 1)).length === asked.length)
            continue;
          expect(whole.slice(0, asked.length)).toEqual(asked);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('answers every call once, in call order, before any text', () => {
    fc.assert(
      fc.property(anyJournal, (entries) => {
        const messages = messagesOf(entries);
        for (const [at, message] of messages.entries()) {
          const calls = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
          const reply = messages[at + 1]?.content ?? [];
          const results = reply.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
          expect(results).toEqual(calls);
          expect(reply.slice(0, calls.length).every((block) => block.type === 'tool_result')).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('keeps thinking for the model that thought it alone', () => {
    const answer = {
      kind: 'answer' as const,
      messageId: 'msg_1',
      model: model.id,
      content: [
        { type: 'thinking' as const, thinking: 'Hm.', signature: 'signed' },
        { type: 'text' as const, text: 'Yes.' },
      ],
      stopReason: 'end_turn',
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      costMicros: 1,
      durationMs: 1,
      firstByteMs: 1,
    };
    const prompt = { kind: 'user' as const, cause: 'prompt' as const, text: 'Hello' };
    const typesOf = (entry: typeof answer) =>
      messagesOf([prompt, entry])[1]?.content.map((block) => block.type);
    expect(typesOf(answer)).toEqual(['thinking', 'text']);
    expect(typesOf({ ...answer, model: 'another' })).toEqual(['text']);
  });
});

describe('a conversation that no longer fits', () => {
  const SIZE = 3_000;

  function longJournal(turns: number): Entry[] {
    const prompt: Entry = { kind: 'user', cause: 'prompt', text: 'Read it all.' };
    const rest = Array.from({ length: turns }, (_, at): Entry[] => [
      {
        kind: 'answer',
        messageId: `msg_${at}`,
        model: model.id,
        content: [
          { type: 'thinking', thinking: 'Next.', signature: 'signed' },
          { type: 'tool_use', id: `call_${at}`, name: 'read_file', input: { page: at } },
        ],
        stopReason: 'tool_use',
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        costMicros: 1,
        durationMs: 1,
        firstByteMs: 1,
      },
      {
        kind: 'toolFinished',
        callId: `call_${at}`,
        name: 'read_file',
        content: `${at}`.padEnd(SIZE, 'x'),
        isError: false,
        durationMs: 1,
      },
    ]);
    return [prompt, ...rest.flat()];
  }

  function look(turns: number) {
    const job = jobWith({ contextTokens: 20_000, effort: null });
    const { request, plan } = requestOf(longJournal(turns), job);
    const blocks = request.messages.flatMap((message) => blocksOf(message.content as never));
    const results = blocks.filter((block) => block.type === 'tool_result');
    return {
      tokens: plan.tokens,
      cleared: results.filter((block) => String(block.content).includes('was removed')).length,
      lastIsWhole: String(results.at(-1)?.content).length === SIZE,
      thinking: blocks.filter((block) => block.type === 'thinking').length,
      valid: checkRequest(JSON.parse(JSON.stringify(request)), new Set(), true).problem,
    };
  }

  test('leaves out the oldest results, keeps the newest, and fits', () => {
    const { tokens, cleared, lastIsWhole, valid } = look(30);
    expect(tokens).toBeLessThanOrEqual(10_000);
    expect(cleared).toBeGreaterThan(0);
    expect(lastIsWhole).toBe(true);
    expect(valid).toBeNull();
  });

  test('keeps the same start for a few turns, and no thinking that what was taken out stood before', () => {
    const cuts = Array.from({ length: 30 }, (_, at) => look(at).cleared);
    expect(cuts).toEqual([...cuts].sort((a, b) => a - b));
    expect(new Set(cuts).size).toBeLessThan(10);
    expect(look(3)).toMatchObject({ cleared: 0, thinking: 3 });
    // What was thought since the last time is signed for the prompt as it is now.
    for (const [turns, cut] of cuts.entries())
      expect(look(turns).thinking).toBe(cut === 0 ? turns : turns - cuts.indexOf(cut));
  });
});
