import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { AnswerEntry, AssistantBlock, Entry, ToolFinishedEntry } from '../harness/journal.ts';
import type { CallDecision } from '../harness/tool-port.ts';
import { createRowsBench, type RowsBench } from '../test-rows.ts';
import { readSteps } from './store.ts';
import { type Mark, turnsOf } from './turns.ts';

const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
let made = 0;
const answer = (...content: AssistantBlock[]): AnswerEntry => ({
  ...{ kind: 'answer', messageId: `msg_${++made}`, model: 'm', content, stopReason: 'end_turn', usage },
  ...{ costMicros: 9, durationMs: 100, firstByteMs: 10 },
});
const uses = (id: string, input: unknown = {}): AssistantBlock => ({
  type: 'tool_use',
  id,
  name: `tool_${id}`,
  input,
});
const finished = (callId: string, change: Partial<ToolFinishedEntry> = {}): ToolFinishedEntry => ({
  ...{ kind: 'toolFinished', callId, name: `tool_${callId}`, content: 'out', isError: false, durationMs: 3 },
  ...change,
});
const prompt: Entry = { kind: 'user', cause: 'prompt', text: 'Do it.' };
const decided = (decision: CallDecision['decision'], approvalId: string | null = null): CallDecision => ({
  ...{ decision, classes: ['file_write'], rule: { kind: 'harmless' }, reason: 'r', approvalId },
});

describe('turns', () => {
  const marks = (...list: (Mark['kind'] | [Mark['kind'], number])[]): Mark[] =>
    list.map((one, i) =>
      typeof one === 'string'
        ? { seq: i + 1, kind: one, turns: null }
        : { seq: i + 1, kind: one[0], turns: one[1] },
    );
  const told = (list: Mark[]) =>
    turnsOf(list).map(
      ({ turn, undone, summarized }) => `${turn}${undone ? ' undone' : ''}${summarized ? ' summed up' : ''}`,
    );

  test('what was undone keeps its number, which is given again', () => {
    expect(told(marks('answer', 'answer', 'answer', ['rewind', 1], 'answer'))).toEqual([
      ...['1', '2 undone', '3 undone', '2'],
    ]);
  });

  test('a summary stands for the first turns; one that covered more than is left is gone', () => {
    expect(told(marks('answer', 'answer', 'answer', ['compaction', 2]))).toEqual([
      '1 summed up',
      '2 summed up',
      '3',
    ]);
    expect(told(marks('answer', 'answer', 'answer', ['compaction', 2], ['rewind', 1]))).toEqual([
      ...['1', '2 undone', '3 undone'],
    ]);
    const twice = marks(
      'answer',
      ['compaction', 1],
      'answer',
      'answer',
      ['compaction', 3],
      ['rewind', 2],
      'answer',
    );
    expect(told(twice)).toEqual(['1 summed up', '2', '3 undone', '3']);
    expect(told(marks('answer', ['rewind', 0], ['compaction', 0]))).toEqual(['1 undone']);
  });
});

describe('steps', () => {
  let bench: RowsBench;
  beforeEach(async () => {
    bench = await createRowsBench();
    await bench.insert({ id: 'run_1' });
  });
  afterEach(() => bench.close());

  const stepsOf = async (entries: Entry[], after = 0, limit = 50, maxChars = 100) => {
    if (after === 0) await bench.log('run_1', 1_000, ...entries);
    return readSteps(bench.database, { runId: 'run_1', after, limit, maxChars });
  };

  test('each call shows what it was given, what it gave, and what decided over it', async () => {
    const rule = decided('allow');
    const { opening, steps, turns, next } = await stepsOf([
      prompt,
      answer(
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text: 'Look.' },
        uses('a'),
        uses('b', { n: 1 }),
      ),
      finished('a', {
        decision: rule,
        content: 'x'.repeat(250),
        media: [{ mediaType: 'image/png', file: 'f', bytes: 1 }],
      }),
      { kind: 'toolHeld', callId: 'b', name: 'tool_b', approvalId: 'apr_1' },
      { kind: 'toolStarted', callId: 'b', name: 'tool_b', decision: decided('ask', 'apr_1') },
      finished('b', { isError: true, durationMs: 40 }),
      { kind: 'user', cause: 'budget', text: 'Nearly used.' },
    ]);
    expect(opening).toEqual([{ kind: 'note', at: 1_000, cause: 'prompt', text: 'Do it.' }]);
    expect([turns, next, steps.length]).toEqual([1, null, 1]);
    const [step] = steps;
    expect(step).toMatchObject({
      ...{ seq: 2, turn: 1, undone: false, summarized: false, at: 1_001, text: 'Look.', thinking: 'Hm.' },
      ...{ tokens: usage, costMicros: 9, durationMs: 100, firstByteMs: 10, stopReason: 'end_turn' },
      between: [{ kind: 'note', at: 1_006, cause: 'budget', text: 'Nearly used.' }],
    });
    expect(step?.calls).toEqual([
      {
        ...{
          callId: 'a',
          name: 'tool_a',
          input: {},
          state: 'succeeded',
          output: 'x'.repeat(100),
          outputChars: 250,
        },
        ...{ media: [{ mediaType: 'image/png', file: 'f', bytes: 1 }], decision: rule, approvalId: null },
        ...{ startedAt: 999, endedAt: 1_002, durationMs: 3 },
      },
      {
        ...{
          callId: 'b',
          name: 'tool_b',
          input: { n: 1 },
          state: 'failed',
          output: 'out',
          outputChars: 3,
          media: [],
        },
        ...{
          decision: decided('ask', 'apr_1'),
          approvalId: 'apr_1',
          startedAt: 1_004,
          endedAt: 1_005,
          durationMs: 40,
        },
      },
    ]);
  });

  test('calls that did not come to an end say how far they came; those that were refused are denied', async () => {
    const { steps } = await stepsOf([
      prompt,
      answer(uses('a'), uses('b'), uses('c'), uses('d'), uses('e', 'no json')),
      finished('a', { isError: true, durationMs: 0, refused: true, decision: decided('deny') }),
      finished('b', { isError: true, durationMs: 0, refused: true, decision: decided('ask', 'apr_1') }),
      { kind: 'toolStarted', callId: 'c', name: 'tool_c', decision: decided('allow') },
      { kind: 'toolHeld', callId: 'd', name: 'tool_d', approvalId: 'apr_2' },
    ]);
    expect(steps[0]?.calls.map(({ state, approvalId, startedAt }) => [state, approvalId, startedAt])).toEqual(
      [
        ['denied', null, null],
        ['denied', 'apr_1', null],
        ['started', null, 1_004],
        ['held', 'apr_2', null],
        ['open', null, null],
      ],
    );
    expect(steps[0]?.calls[4]?.input).toBe('no json');
  });

  test('the same id in a later answer is another call', async () => {
    const { steps } = await stepsOf([
      ...[prompt, answer(uses('a')), finished('a', { content: 'first' })],
      ...[answer(uses('a')), finished('a', { content: 'second' })],
    ]);
    expect(steps.map(({ calls }) => calls[0]?.output)).toEqual(['first', 'second']);
  });

  test('pages hold whole steps, and numbers and marks of the whole run', async () => {
    const entries: Entry[] = [prompt];
    for (const id of ['a', 'b', 'c', 'd']) entries.push(answer(uses(id)), finished(id));
    entries.splice(7, 0, {
      kind: 'compaction',
      turns: 2,
      summary: 'So far.',
      messageId: 'm',
      model: 'm',
      usage,
      costMicros: null,
    });
    entries.push({ kind: 'rewind', turns: 3 });
    const pages = [await stepsOf(entries, 0, 2)];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next)
      pages.push(await stepsOf([], Number(next), 2));
    expect(pages.map(({ steps }) => steps.map(({ calls }) => calls[0]?.callId))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    const steps = pages.flatMap((page) => page.steps);
    expect(steps.map(({ turn, summarized, undone }) => [turn, summarized, undone])).toEqual([
      ...[
        [1, true, false],
        [2, true, false],
        [3, false, false],
        [4, false, true],
      ],
    ]);
    expect(pages.map(({ turns }) => turns)).toEqual([4, 4]);
    expect(steps.map(({ between }) => between.map(({ kind }) => kind))).toEqual([
      [],
      [],
      ['summary'],
      ['undo'],
    ]);
    expect(steps.every(({ calls }) => calls[0]?.state === 'succeeded')).toBe(true);
  });
});
