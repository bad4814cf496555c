import { describe, expect, test } from 'bun:test';
import { openCalls, readConversation } from './conversation.ts';
import type { Entry } from './journal.ts';

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const prompt: Entry = { kind: 'user', cause: 'prompt', text: 'Work.' };

function answer(id: string, ...callIds: string[]): Entry {
  const content = callIds.map((callId) => ({
    type: 'tool_use' as const,
    id: callId,
    name: 'read',
    input: {},
  }));
  const facts = { model: 'm', stopReason: 'tool_use', usage, costMicros: 1, durationMs: 1, firstByteMs: 1 };
  return { kind: 'answer', messageId: id, content, ...facts };
}

const finished = (callId: string): Entry => ({
  ...{ kind: 'toolFinished', callId, name: 'read', content: callId, isError: false, durationMs: 1 },
});
const summary = (id: string, turns: number, text = id): Entry => ({
  ...{ kind: 'compaction', turns, summary: text, messageId: id, model: 'm', usage, costMicros: 1 },
});
const rewind = (turns: number): Entry => ({ kind: 'rewind', turns });
const idsOf = (entries: Entry[]) => readConversation(entries).turns.map((turn) => turn.answer.messageId);

describe('a summary', () => {
  test('stands for the first turns, which are still there to be looked at', () => {
    const conversation = readConversation([prompt, answer('a'), answer('b'), summary('s', 1), answer('c')]);
    expect(conversation.summary).toEqual({ messageId: 's', turns: 1, text: 's' });
    expect(conversation.turns.map((turn) => turn.askedWith?.messageId ?? null)).toEqual([null, null, 's']);
    expect(conversation.opening).toEqual([prompt] as never);
  });

  test('that came to nothing stands for nothing, and is counted until the next answer', () => {
    const entries = [prompt, answer('a'), answer('b'), summary('s', 0, '')];
    expect(readConversation(entries)).toMatchObject({ summary: null, summariesSinceAnswer: 1 });
    expect(readConversation([...entries, answer('c')])).toMatchObject({ summariesSinceAnswer: 0 });
  });

  test('takes the place of the one before', () => {
    const entries = [prompt, answer('a'), summary('s', 1), answer('b'), answer('c'), summary('t', 2)];
    expect(readConversation(entries).summary?.messageId).toBe('t');
  });
});

describe('a conversation that was taken back', () => {
  test('ends with the turns that are left and what followed them', () => {
    const entries = [prompt, answer('a', 'x'), finished('x'), answer('b'), rewind(1), answer('c')];
    expect(idsOf(entries)).toEqual(['a', 'c']);
    expect(readConversation(entries).turns[0]?.results.get('x')).toBeDefined();
  });

  test('has no open calls of turns that are gone, even when their results come late', () => {
    const entries = [prompt, answer('a'), answer('b', 'x'), rewind(1)];
    expect(openCalls(readConversation(entries))).toEqual([]);
    expect(openCalls(readConversation([...entries, finished('x')]))).toEqual([]);
    expect(openCalls(readConversation([...entries.slice(0, 3)]))).toHaveLength(1);
  });

  test('loses a summary of more than is left, and the turns it stood for count again', () => {
    const entries = [
      prompt,
      answer('a'),
      summary('s', 1),
      answer('b'),
      answer('c'),
      summary('t', 3),
      answer('d'),
    ];
    expect(readConversation([...entries, rewind(3)]).summary?.messageId).toBe('t');
    expect(readConversation([...entries, rewind(2)])).toMatchObject({ summary: { messageId: 's' } });
    expect(readConversation([...entries, rewind(0)])).toMatchObject({ summary: null, turns: [] });
    expect(idsOf([...entries, rewind(2)])).toEqual(['a', 'b']);
  });

  test('still knows every answer and every id there ever was', () => {
    const { known } = readConversation([
      prompt,
      answer('a', 'x'),
      summary('s', 1),
      rewind(0),
      answer('b', 'y'),
    ]);
    expect(known.answers).toBe(2);
    expect([...known.messageIds]).toEqual(['a', 's', 'b']);
    expect([...known.callIds]).toEqual(['x', 'y']);
  });
});
