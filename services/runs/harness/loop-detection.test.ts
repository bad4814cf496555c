import { describe, expect, test } from 'bun:test';
import type { Turn } from './conversation.ts';
import { findLoops } from './loop-detection.ts';
import { tool } from './test-doubles/counting-tools.ts';

const TOOLS = [tool('read_file'), tool('wait', { poller: true }), tool('ask_user')];

/** `read_file:a=1` is a call with the input a and the result 1; `+` joins calls of one answer. */
function turnsOf(script: string): Turn[] {
  return script.split(' ').map((answer, at) => {
    const calls = answer.split('+').map((text, index) => {
      const [name = '', input = '', content = ''] = text.split(/[:=]/);
      return {
        block: { type: 'tool_use' as const, id: `call_${at}_${index}`, name, input: { input } },
        content,
      };
    });
    const results = calls.map(({ block, content }) => {
      const entry = { kind: 'toolFinished' as const, callId: block.id, name: block.name };
      return [block.id, { ...entry, content, isError: false, durationMs: 1 }] as const;
    });
    return {
      answer: {
        kind: 'answer',
        messageId: `msg_${at}`,
        model: 'm',
        content: calls.map(({ block }) => block),
        stopReason: 'tool_use',
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        costMicros: null,
        durationMs: 1,
        firstByteMs: null,
      },
      calls: calls.map(({ block }) => block),
      started: new Set(),
      held: new Map(),
      results: new Map(results),
      notes: [],
      askedWith: null,
    };
  });
}

const A = 'read_file:a=1';
const B = 'read_file:b=2';

describe('a loop', () => {
  const cases: [string, string, number[]][] = [
    ['the same call with the same result, the third time', [A, A, A].join(' '), [2]],
    ['twice is none', [A, A].join(' '), []],
    ['another result in between', [A, A, 'read_file:a=2', A].join(' '), []],
    ['another call in between', [A, A, B, A].join(' '), []],
    ['A B A B A B', [A, B, A, B, A, B].join(' '), [5]],
    ['A B C three times', Array(3).fill([A, B, 'read_file:c=3'].join(' ')).join(' '), [8]],
    ['and again after the first', Array(6).fill(A).join(' '), [2, 5]],
    ['the same calls in one answer are one turn', [A, A, A].join('+'), []],
    ['parallel calls that come back', Array(3).fill(`${A}+${B}`).join(' '), [2]],
    ['a poller', Array(9).fill('wait:x=same').join(' '), []],
    ['a question to a person', Array(9).fill('ask_user:x=same').join(' '), []],
    ['a call beside a poller', Array(3).fill(`${A}+wait:x=same`).join(' '), [2]],
  ];

  test.each(cases)('%s', (_, script, loops) => {
    expect(findLoops(turnsOf(script), TOOLS)).toEqual(loops);
  });

  test('does not depend on the order of the arguments', () => {
    const turns = turnsOf([A, A, A].join(' '));
    for (const [at, turn] of turns.entries()) {
      const call = turn.calls[0];
      if (call) call.input = at % 2 === 0 ? { x: 1, y: { p: 1, q: 2 } } : { y: { q: 2, p: 1 }, x: 1 };
    }
    expect(findLoops(turns, TOOLS)).toEqual([2]);
  });
});
