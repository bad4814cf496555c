import { expect, test } from 'bun:test';
import type Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { chooseTurn, NoTurnError } from './choose-turn.ts';
import type { MessagesRequest, RequestMessage } from './messages-request.ts';
import type { ModelScript } from './script.ts';
import { startScriptedModel } from './server.ts';
import { clientOf, HELLO, READ_FILE, scriptOf } from './test-client.ts';

const asked = (rest: Partial<MessagesRequest>): MessagesRequest => ({ ...HELLO, ...rest });

const SCRIPT: ModelScript = {
  name: 'choice',
  dialogues: [
    { name: 'both', when: { system: 'planner', user: /build\b/i }, turns: [{ text: 'both' }] },
    { name: 'system', when: { system: /^You plan/m }, turns: [{ text: 'system' }] },
    { name: 'tool', when: { tool: 'read_file' }, turns: [{ text: 'tool' }] },
    { name: 'model', when: { model: 'claude-haiku-5-5' }, turns: [{ text: 'model' }] },
  ],
};

test.each<[string, Partial<MessagesRequest>]>([
  [
    'both',
    { system: 'a planner', messages: [{ role: 'user', content: [{ type: 'text', text: 'Build it' }] }] },
  ],
  [
    'system',
    {
      system: [
        { type: 'text', text: 'Rules' },
        { type: 'text', text: 'You plan, planner' },
      ],
    },
  ],
  [
    'system',
    {
      messages: [
        { role: 'system', content: 'You plan' },
        { role: 'user', content: 'a' },
      ],
    },
  ],
  ['tool', { tools: [READ_FILE] }],
  ['model', { model: 'claude-haiku-5-5' }],
])('dialogue %p is found by its conditions', (name, rest) => {
  expect(chooseTurn(SCRIPT, asked(rest))).toEqual({ dialogue: name, turn: 0, answer: { text: name } });
});

test('otherwise answers what matches nothing and what goes on after the last turn', () => {
  const script = { ...SCRIPT, otherwise: { text: 'other' } };
  expect(chooseTurn(script, asked({}))).toMatchObject({ dialogue: null, answer: { text: 'other' } });
  const messages: RequestMessage[] = ['user', 'assistant', 'user'].map(
    (role) => ({ role, content: 'a' }) as RequestMessage,
  );
  const later = chooseTurn(script, asked({ tools: [READ_FILE], messages }));
  expect(later).toEqual({ dialogue: 'tool', turn: 1, answer: { text: 'other' } });
});

test('a script without an answer says which one is missing', async () => {
  expect(() => chooseTurn(SCRIPT, asked({}))).toThrow(NoTurnError);
  const model = startScriptedModel(scriptOf());
  const failure = await clientOf(model.url, 2)
    .messages.create(HELLO)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 400 });
  const problem = 'Script: The script "test" has no answer: dialogue "all" has no turn 0.';
  expect(model.requests).toMatchObject([{ dialogue: 'all', turn: 0, status: 400, problem }]);
  await model.stop();
});

test('a turn that throws is reported', async () => {
  const model = startScriptedModel(
    scriptOf(() => {
      throw new Error('no such file');
    }),
  );
  const failure = await clientOf(model.url, 2)
    .messages.create(HELLO)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('Script: no such file') });
  await model.stop();
});

type Param = Anthropic.MessageParam;

test('interrupted calls are repeated with new ids, then the dialogue goes on', async () => {
  const calls = ['a', 'b'].map((path) => ({ name: 'read_file', input: { path } }));
  const model = startScriptedModel(scriptOf({ text: 'reading', tools: calls }, { text: 'done' }));
  const messages: Param[] = [...HELLO.messages];
  const answers: Anthropic.Message[] = [];
  const step = async (resultOf: (id: string, index: number) => Anthropic.ToolResultBlockParam) => {
    const answer = await clientOf(model.url).messages.create({ ...HELLO, tools: [READ_FILE], messages });
    answers.push(answer);
    const ids = answer.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    messages.push({ role: 'assistant', content: answer.content as Anthropic.ContentBlockParam[] });
    messages.push({ role: 'user', content: ids.map(resultOf) });
    return ids;
  };
  const good = (id: string) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'text' });
  const lost = (id: string) => ({
    ...good(id),
    is_error: true,
    content: 'The call was Interrupted by a restart.',
  });
  const first = await step((id, index) => (index === 0 ? good(id) : lost(id)));
  const second = await step(lost);
  const third = await step(good);
  const last = await clientOf(model.url).messages.create({ ...HELLO, tools: [READ_FILE], messages });
  expect(answers[1]!.content).toMatchObject([{ type: 'tool_use', name: 'read_file', input: { path: 'b' } }]);
  expect(answers[2]!.content).toMatchObject([{ input: { path: 'b' } }]);
  expect(last.content).toMatchObject([{ text: 'done' }]);
  expect(new Set([...first, ...second, ...third]).size).toBe(4);
  expect(model.requests.map(({ turn }) => turn)).toEqual([0, 0, 0, 1]);
  await model.stop();
});

test('a failed call that was not interrupted does not repeat', () => {
  const messages: RequestMessage[] = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'i', name: 'read_file', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'i', is_error: true, content: 'uninterrupted' }],
    },
  ];
  const script = scriptOf({ text: '0' }, { text: '1' });
  expect(chooseTurn(script, asked({ messages }))).toMatchObject({ turn: 1, answer: { text: '1' } });
});

test('the turn is the number of answers less the repeats, whatever was interrupted', () => {
  const rounds = fc.array(fc.boolean(), { maxLength: 12 });
  fc.assert(
    fc.property(rounds, (interrupted) => {
      const messages: RequestMessage[] = [{ role: 'user', content: 'a' }];
      for (const [index, isLost] of interrupted.entries()) {
        const id = `i${index}`;
        messages.push({
          role: 'assistant',
          content: [{ type: 'tool_use', id, name: 'read_file', input: { index } }],
        });
        const result = { type: 'tool_result', tool_use_id: id, content: 'interrupted', is_error: isLost };
        messages.push({ role: 'user', content: [result] });
      }
      const script = { name: 's', dialogues: [], otherwise: { text: 'next' } };
      const { turn, answer } = chooseTurn(script, asked({ messages }));
      expect(turn).toBe(interrupted.filter((isLost) => !isLost).length);
      const repeated = { tools: [{ name: 'read_file', input: { index: interrupted.length - 1 } }] };
      expect(answer).toEqual(interrupted.at(-1) ? repeated : { text: 'next' });
    }),
  );
});
