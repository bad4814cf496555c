import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { answerMessage, createIds } from './answer-message.ts';
import { encodeEvent, streamEvents } from './stream-events.ts';
import { HELLO } from './test-client.ts';

const PROMPT = { inputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3, writeTtl: '5m' as const };

test('any text, cut into deltas of any size, joins to the same text', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(text, fc.jsonValue(), fc.integer({ min: 1, max: 50 }), (said, input, chars) => {
      const turn = { text: said, tools: [{ name: 'a', input }] };
      const events = streamEvents(answerMessage(turn, HELLO, PROMPT, createIds()), chars);
      const deltas = events.map((event) => event.delta as Record<string, string> | undefined);
      expect(deltas.map((delta) => delta?.text ?? '').join('')).toBe(said);
      expect(deltas.map((delta) => delta?.partial_json ?? '').join('')).toBe(JSON.stringify(input));
      for (const delta of deltas) expect([...(delta?.text ?? '')].length).toBeLessThanOrEqual(chars);
    }),
  );
});

test('an event is two lines and a blank one', () => {
  expect(encodeEvent({ type: 'ping' })).toBe('event: ping\ndata: {"type":"ping"}\n\n');
});
