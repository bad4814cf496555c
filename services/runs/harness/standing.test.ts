import { afterEach, describe, expect, test } from 'bun:test';
import type { TurnSource } from '../../../test/model/script.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { createCountingTools, tool } from './test-doubles/counting-tools.ts';
import { createMemoryJournal } from './test-doubles/memory-journal.ts';
import { type RunOptions, runAgainst, startTurns } from './test-doubles/scripted-run.ts';

let model: ScriptedModel;
afterEach(() => model.stop());

const TOOLS = [tool('read_file'), tool('submit_plan')];
const READ = { tools: [{ name: 'read_file', input: { path: 'a' } }] };
const overloaded = { kind: 'status' as const, status: 529, times: 9 };
const outputSchema = { type: 'object', required: ['sum'] };

async function summaryOf(turns: TurnSource[], options: RunOptions = {}): Promise<string> {
  model = startTurns(...turns);
  const { outcome } = await runAgainst(model.url, { tools: createCountingTools(TOOLS), ...options });
  return outcome.summary;
}

describe('the summary of a run that came to no result', () => {
  const plan = { job: { exitVerb: 'submit_plan' } };
  const cases: [string, TurnSource[], RunOptions, string[]][] = [
    [
      'paused by the server',
      [READ, { text: '', fault: overloaded }],
      {},
      ['529', 'No final answer was given.', 'It stood at 1 answer, its last call was read_file.'],
    ],
    [
      'paused by the server before anything',
      [{ text: '', fault: overloaded }],
      plan,
      ['No plan was produced.', 'It stood at 0 answers.'],
    ],
    [
      'out of budget',
      [READ],
      { journal: createMemoryJournal({ capMicros: 1 }) },
      ['The budget is used up.', 'No final answer was given.'],
    ],
    [
      'silent about its plan',
      [{ text: 'Here it is.' }, { text: 'I said it.' }],
      plan,
      ['submit_plan', 'It said: I said it.', 'No plan was produced.', 'It stood at 2 answers.'],
    ],
    [
      'without a valid output',
      [{ text: 'no json' }, { text: 'still none' }],
      { job: { outputSchema } },
      ['does not match the output schema', 'No valid output was produced.', '2 answers'],
    ],
    ['silent about everything', [{ text: '' }], {}, ['without saying', 'No final answer was given.']],
    [
      'at its turn limit',
      [READ, { tools: [{ name: 'read_file', input: { path: 'b' } }] }],
      { job: { maxTurns: 2 } },
      ['all of its 2 turns', 'It stood at 2 answers, its last call was read_file.'],
    ],
    [
      'refused',
      [{ text: 'No.', stopReason: 'refusal' }],
      plan,
      ['refused to go on', 'No plan was produced.'],
    ],
    [
      'whose tools are out of reach',
      [READ],
      {
        tools: createCountingTools(TOOLS, { read_file: () => Promise.reject(new Error('runner gone')) }),
      },
      ['runner gone', 'No final answer was given.', 'its last call was read_file'],
    ],
  ];

  test.each(cases)('says what was not produced and where it stood: %s', async (_, turns, options, parts) => {
    const summary = await summaryOf(turns, options);
    for (const part of parts) expect(summary).toContain(part);
  });

  test('says nothing of a plan that is there', async () => {
    const submit = { tools: [{ name: 'submit_plan', input: {} }] };
    const summary = await summaryOf([submit, { text: '', fault: overloaded }], plan);
    expect(summary).not.toContain('was produced');
    expect(summary).toContain('its last call was submit_plan');
  });

  test('is the answer alone when there is a result, and a wait is no failure', async () => {
    expect(await summaryOf([{ text: 'Done.' }])).toBe('Done.');
    await model.stop();
    const tools = createCountingTools(TOOLS, { read_file: () => ({ kind: 'suspend', waitingFor: 'apr_1' }) });
    expect(await summaryOf([READ], { tools })).toBe('The run waits for a person.');
  });
});
