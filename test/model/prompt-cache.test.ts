import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { MessagesRequest, RequestMessage } from './messages-request.ts';
import { createPromptCache, promptTokens } from './prompt-cache.ts';
import { startScriptedModel } from './server.ts';
import { clientOf, HELLO, scriptOf } from './test-client.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const SYSTEM = [{ type: 'text', text: 's'.repeat(4000), ...MARK }];

/** A conversation of `length` messages of 400 characters, the last one marked. */
function conversation(length: number, system = SYSTEM): MessagesRequest {
  const messages = Array.from({ length }, (_, at): RequestMessage => {
    const mark = at === length - 1 ? MARK : {};
    const text = `${at}`.padEnd(400, 'x');
    return { role: at % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text, ...mark }] };
  });
  return { ...HELLO, system, messages };
}

test('a growing conversation reads what it wrote before', () => {
  const cache = createPromptCache();
  const first = cache.charge(conversation(1));
  const second = cache.charge(conversation(3));
  expect(first).toMatchObject({
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: promptTokens(conversation(1)),
  });
  expect(second.cacheReadTokens).toBe(first.cacheWriteTokens);
  expect(second.cacheWriteTokens).toBe(promptTokens(conversation(3)) - first.cacheWriteTokens);
  const same = cache.charge(conversation(3));
  expect(same).toMatchObject({ cacheReadTokens: promptTokens(conversation(3)), cacheWriteTokens: 0 });
});

test('a changed prefix, another model and a far breakpoint miss', () => {
  const cache = createPromptCache();
  cache.charge(conversation(1));
  const changed = [{ type: 'text', text: `t${'s'.repeat(3999)}`, ...MARK }];
  expect(cache.charge(conversation(1, changed)).cacheReadTokens).toBe(0);
  expect(cache.charge({ ...conversation(1), model: 'claude-haiku-5-5' }).cacheReadTokens).toBe(0);
  // 23 messages later the first message is out of reach, the marked system prompt is not.
  const far = cache.charge(conversation(25)).cacheReadTokens;
  expect(far).toBeGreaterThan(1000);
  expect(far).toBeLessThan(promptTokens(conversation(1)));
});

test('a prompt without breakpoints is all input; an hour is told apart', () => {
  const cache = createPromptCache();
  const bare = { ...HELLO, system: 's'.repeat(400) };
  expect(cache.charge(bare)).toMatchObject({
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    inputTokens: promptTokens(bare),
  });
  const hour = { ...bare, cache_control: { type: 'ephemeral', ttl: '1h' } };
  expect(cache.charge(hour)).toMatchObject({ inputTokens: 0, writeTtl: '1h' });
});

test('the three parts always sum to the whole prompt', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lengths, (all) => {
      const cache = createPromptCache();
      for (const length of all) {
        const { inputTokens, cacheReadTokens, cacheWriteTokens } = cache.charge(conversation(length));
        expect(Math.min(inputTokens, cacheReadTokens, cacheWriteTokens)).toBeGreaterThanOrEqual(0);
        expect(inputTokens + cacheReadTokens + cacheWriteTokens).toBe(promptTokens(conversation(length)));
      }
    }),
    { numRuns: 30 },
  );
});

test('answers carry the cache share', async () => {
  const model = startScriptedModel(scriptOf({ text: 'a' }));
  const system = [
    { type: 'text' as const, text: 's'.repeat(4000), cache_control: { type: 'ephemeral' as const } },
  ];
  const ask = () =>
    clientOf(model.url)
      .messages.stream({ ...HELLO, system })
      .finalMessage();
  const [first, second] = [(await ask()).usage, (await ask()).usage];
  expect(first.cache_read_input_tokens).toBe(0);
  expect(first.cache_creation?.ephemeral_5m_input_tokens).toBe(first.cache_creation_input_tokens!);
  expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
  expect(second.cache_creation_input_tokens).toBe(0);
  expect(second.input_tokens).toBe(first.input_tokens);
  await model.stop();
});
