import { afterEach, describe, expect, test } from 'bun:test';
import type { RequestBlock } from '../../../test/model/messages-request.ts';
import type { TurnSource } from '../../../test/model/script.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { createCountingTools, result, tool } from './test-doubles/counting-tools.ts';
import { problemsOf, type RunOptions, runAgainst, startTurns } from './test-doubles/scripted-run.ts';

let model: ScriptedModel | null = null;

afterEach(async () => {
  await model?.stop();
  model = null;
});

async function run(turns: TurnSource[], options: RunOptions) {
  model = startTurns(...turns);
  const finished = await runAgainst(model.url, options);
  expect(problemsOf(model)).toEqual([]);
  const lastUser = model.requests.at(-1)?.body.messages.at(-1)?.content as RequestBlock[];
  return { ...finished, count: model.requests.length, lastText: lastUser.at(-1)?.text ?? '' };
}

describe('the exit verb', () => {
  const submit = tool('submit_plan');
  const call = { tools: [{ name: 'submit_plan', input: {} }] };
  const job = { exitVerb: 'submit_plan' };

  test('that was called needs no nudge', async () => {
    const tools = createCountingTools([submit]);
    const { outcome, count } = await run([call, { text: 'Planned.' }], { tools, job });
    expect(count).toBe(2);
    expect(outcome).toMatchObject({ status: 'completed', liveness: 'progressing', errorFamily: null });
  });

  test('is asked for once, with the honest way out, and a nudged run can still do it', async () => {
    const tools = createCountingTools([submit]);
    const { outcome, lastText, journal } = await run(
      [{ text: 'Here is a plan in words.' }, call, { text: 'Planned.' }],
      { tools, job },
    );
    expect(outcome).toMatchObject({ status: 'completed', errorFamily: null, summary: 'Planned.' });
    expect(lastText).toBe('');
    const nudges = journal.entries.filter((entry) => entry.kind === 'user' && entry.cause === 'nudge');
    expect(nudges).toHaveLength(1);
    expect(nudges[0]).toMatchObject({ text: expect.stringContaining('no plan is needed here') });
  });

  test('that is never called leaves a completed run whose liveness tells the truth', async () => {
    const tools = createCountingTools([submit]);
    const turns = [{ text: 'The answer is 4.' }, { text: 'No plan is needed here.' }];
    const { outcome, count } = await run(turns, { tools, job });
    expect(count).toBe(2);
    expect(outcome).toMatchObject({ status: 'completed', liveness: 'empty', errorFamily: 'silentRun' });
    expect(outcome.summary).toContain('No plan was produced.');
    expect(outcome.summary).toContain('No plan is needed here.');
  });

  test('whose call failed does not count', async () => {
    const tools = createCountingTools([submit], { submit_plan: () => result('The plan has a cycle.', true) });
    const { outcome } = await run([call, { text: 'Gave up.' }, { text: 'Really.' }], { tools, job });
    expect(outcome).toMatchObject({ liveness: 'empty', errorFamily: 'silentRun' });
  });
});

describe('the output schema', () => {
  const outputSchema = {
    type: 'object',
    required: ['deliverable', 'gaps'],
    properties: { deliverable: { type: 'string' }, gaps: { type: 'array', items: { type: 'string' } } },
  };
  const good = { deliverable: 'A thing', gaps: ['none'] };

  test('takes the last json block or the whole text', async () => {
    const fenced = `First:\n\`\`\`json\n{}\n\`\`\`\nThen:\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`\nBye.`;
    for (const text of [fenced, JSON.stringify(good)]) {
      const { outcome } = await run([{ text }], { job: { outputSchema } });
      expect(outcome).toMatchObject({ status: 'completed', output: { value: good } });
      await model?.stop();
    }
  });

  test('is repaired once, with every fault by its path', async () => {
    const turns = [{ text: '{"gaps": ["a", 2]}' }, { text: JSON.stringify(good) }];
    const { outcome, lastText } = await run(turns, { job: { outputSchema } });
    expect(outcome).toMatchObject({ status: 'completed', output: { value: good } });
    expect(lastText).toContain('- deliverable: This property is required.');
    expect(lastText).toContain('- gaps[1]:');
  });

  test('that is missed twice fails the run and says what is wrong', async () => {
    const turns = [{ text: 'Done!' }, { text: '{"deliverable": 1, "gaps": []}' }];
    const { outcome, count } = await run(turns, { job: { outputSchema } });
    expect(count).toBe(2);
    expect(outcome).toMatchObject({ status: 'failed', liveness: 'empty', errorFamily: 'silentRun' });
    expect(outcome.summary).toContain('deliverable');
  });
});

describe('loops', () => {
  const read = tool('read_file');
  const repeat = (name: string, times: number): TurnSource[] =>
    Array.from({ length: times }, () => ({ tools: [{ name, input: { path: 'a' } }] }));

  test('are steered once; a run that then does something else goes on', async () => {
    const tools = createCountingTools([read]);
    const { outcome, lastText } = await run([...repeat('read_file', 3), { text: 'Stopped.' }], { tools });
    expect(outcome.status).toBe('completed');
    expect(lastText).toContain('three times');
  });

  test('that go on after the word fail the run', async () => {
    const tools = createCountingTools([read]);
    const { outcome, count } = await run(repeat('read_file', 12), { tools });
    expect(count).toBe(6);
    expect(outcome).toMatchObject({ status: 'failed', liveness: 'looping' });
  });

  test('of a poller are none', async () => {
    const tools = createCountingTools([tool('wait', { poller: true })]);
    const { outcome, journal } = await run([...repeat('wait', 8), { text: 'Over.' }], { tools });
    expect(outcome.status).toBe('completed');
    expect(journal.entries.some((entry) => entry.kind === 'user' && entry.cause === 'steer')).toBe(false);
  });
});
