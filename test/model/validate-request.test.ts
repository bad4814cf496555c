import { describe, expect, test } from 'bun:test';
import { startScriptedModel } from './server.ts';
import { clientOf, HELLO, post, READ_FILE, scriptOf } from './test-client.ts';
import { checkRequest } from './validate-request.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string, name = 'read_file', input: unknown = {}) => ({ type: 'tool_use', id, name, input });
const result = (id: string, rest: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'x',
  ...rest,
});
const text = (value: string) => ({ type: 'text', text: value });
const GOOD = { ...HELLO, tools: [READ_FILE] };
const withMessages = (...messages: unknown[]) => ({ ...GOOD, messages });
const withTools = (...tools: unknown[]) => ({ ...GOOD, tools });
const withSchema = (schema: unknown) => withTools({ name: 'a', input_schema: schema });
const mark = { cache_control: { type: 'ephemeral' } };
const older = (...messages: unknown[]) => ({ ...withMessages(...messages), model: 'claude-sonnet-4-5' });

function problemOf(body: unknown, offeredBefore: string[] = []): string | null {
  return checkRequest(body, new Set(offeredBefore), true).problem;
}

describe('refused', () => {
  test.each<[string, unknown, string]>([
    ['no object', [], 'must be a JSON object'],
    ['no model', { ...GOOD, model: undefined }, 'model: Field required'],
    ['empty model', { ...GOOD, model: '' }, 'model: String should have at least 1 character'],
    ['no max_tokens', { ...GOOD, max_tokens: undefined }, 'max_tokens: Field required'],
    ['max_tokens 0', { ...GOOD, max_tokens: 0 }, 'max_tokens: Input should be greater than'],
    ['max_tokens 1.5', { ...GOOD, max_tokens: 1.5 }, 'max_tokens: Input should be a valid integer'],
    ['stream "yes"', { ...GOOD, stream: 'yes' }, 'stream: Input should be a valid boolean'],
    ['message threads', { ...GOOD, thread: { type: 'create' } }, 'thread: message threads'],
    ['system a number', { ...GOOD, system: 1 }, 'system: Input should be'],
    ['system an image', { ...GOOD, system: [{ type: 'image' }] }, "system.0.type: Input should be 'text'"],
    [
      'system block empty',
      { ...GOOD, system: [text('')] },
      'system.0: text content blocks must be non-empty',
    ],
    ['no messages', { ...GOOD, messages: undefined }, 'messages: Field required'],
    ['empty messages', withMessages(), 'messages: at least one message is required'],
    ['assistant first', withMessages(assistant('a'), user('b')), 'first message must use the "user" role'],
    ['user twice', withMessages(user('a'), user('b')), 'messages.1: roles must alternate'],
    [
      'assistant twice',
      withMessages(user('a'), assistant('b'), assistant('c'), user('d')),
      'messages.2: roles',
    ],
    ['unknown role', withMessages({ role: 'tool', content: 'a' }), 'messages.0.role'],
    ['content missing', withMessages({ role: 'user' }), 'messages.0.content: Input should be'],
    ['content empty', withMessages(user('')), 'messages.0: all messages must have non-empty content'],
    ['no blocks', withMessages(user([])), 'messages.0: all messages must have non-empty content'],
    [
      'blank content',
      withMessages(user(' \n')),
      'messages.0: text content blocks must contain non-whitespace',
    ],
    [
      'empty text',
      withMessages(user([text('')])),
      'messages.0.content.0: text content blocks must be non-empty',
    ],
    ['untyped block', withMessages(user([{}])), 'messages.0.content.0.type: Field required'],
    ['call by the user', withMessages(user([use('a')])), '`tool_use` blocks cannot be in `user` messages'],
    ['result by the assistant', withMessages(user('a'), assistant([result('a')])), 'messages.1.content.0'],
    ['bad call id', withMessages(user('a'), assistant([use('a b')])), 'tool_use.id: String should match'],
    ['text as input', withMessages(user('a'), assistant([use('a', 'read_file', '{}')])), 'tool_use.input'],
    ['result without id', withMessages(user([{ type: 'tool_result' }])), 'tool_result.tool_use_id: Field'],
    ['result with content 1', withMessages(user([result('a', { content: 1 })])), 'tool_result.content'],
    [
      'an error with an image',
      withMessages(user([result('a', { is_error: true, content: [{ type: 'image' }] })])),
      'all content must be type "text" if "is_error" is true',
    ],
    ['is_error "no"', withMessages(user([result('a', { is_error: 'no' })])), 'tool_result.is_error'],
    [
      'empty text in a result',
      withMessages(user('a'), assistant([use('a')]), user([result('a', { content: [text('')] })])),
      'messages.2.content.0.tool_result.content.0: text content blocks must be non-empty',
    ],
    [
      'unsigned thinking',
      withMessages(user('a'), assistant([{ type: 'thinking', thinking: 'b' }]), user('c')),
      'thinking.signature: Field required',
    ],
    [
      'call unanswered',
      withMessages(user('a'), assistant([use('id1')]), user('b')),
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: id1',
    ],
    [
      'call at the end',
      withMessages(user('a'), assistant([use('id1')])),
      'messages.1: `tool_use` ids were found',
    ],
    [
      'one of two calls unanswered',
      withMessages(user('a'), assistant([use('id1'), use('id2')]), user([result('id1')])),
      'immediately after: id2.',
    ],
    [
      'result without call',
      withMessages(user([result('id1')])),
      'messages.0.content.0: unexpected `tool_use_id`',
    ],
    [
      'result of an older call',
      withMessages(
        user('a'),
        assistant([use('i')]),
        user([result('i')]),
        assistant('b'),
        user([result('i')]),
      ),
      'messages.4.content.0: unexpected `tool_use_id`',
    ],
    [
      'result twice',
      withMessages(user('a'), assistant([use('i')]), user([result('i'), result('i')])),
      'single result',
    ],
    [
      'result after text',
      withMessages(user('a'), assistant([use('i')]), user([text('b'), result('i')])),
      'messages.2.content.1: `tool_result` blocks must come first',
    ],
    [
      'call id used again',
      withMessages(
        user('a'),
        assistant([use('i')]),
        user([result('i')]),
        assistant([use('i')]),
        user([result('i')]),
      ),
      'messages.3: `tool_use` ids must be unique, found again: i',
    ],
    [
      'success of an unknown tool',
      withMessages(user('a'), assistant([use('i', 'fly')]), user([result('i')])),
      'messages.1.content.0: tool "fly" was never offered',
    ],
    ['tools no list', { ...GOOD, tools: {} }, 'tools: Input should be a list'],
    ['tool twice', withTools(READ_FILE, READ_FILE), 'Tool names must be unique, found again: read_file'],
    [
      'tool with a dot',
      withTools({ ...READ_FILE, name: 'a.b' }),
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
    ],
    ['tool name of 65', withTools({ ...READ_FILE, name: 'a'.repeat(65) }), 'tools.0.custom.name'],
    ['no schema', withSchema(undefined), 'tools.0.custom.input_schema: Field required'],
    ['schema of a string', withSchema({ type: 'string' }), "input_schema.type: Input should be 'object'"],
    ['schema without type', withSchema({}), 'input_schema.type'],
    ['schema a list', withSchema([]), 'input_schema: Input should be an object'],
    ['schema a union', withSchema({ type: 'object', anyOf: [] }), 'does not support oneOf, allOf, or anyOf'],
    ['schema properties', withSchema({ type: 'object', properties: [] }), 'input_schema.properties'],
    ['schema required', withSchema({ type: 'object', required: [1] }), 'input_schema.required'],
    ['choice of no tool', { ...GOOD, tool_choice: { type: 'tool', name: 'b' } }, "Tool 'b' not found"],
    ['choice without tools', { ...HELLO, tool_choice: { type: 'any' } }, 'while providing tools'],
    ['choice unknown', { ...GOOD, tool_choice: { type: 'some' } }, 'tool_choice.type'],
    ['prefill', withMessages(user('a'), assistant('b')), 'does not support assistant message prefill'],
    ['prefill that ends blank', older(user('a'), assistant('b ')), 'cannot end with trailing whitespace'],
    ['blank prefill', older(user('a'), assistant('\n')), 'must contain non-whitespace text'],
    [
      'five breakpoints',
      {
        ...withMessages(
          user('a'),
          assistant([use('i')]),
          user([result('i', { content: [{ ...text('r'), ...mark }] }), { ...text('t'), ...mark }]),
        ),
        tools: [{ ...READ_FILE, ...mark }],
        system: [{ ...text('s'), ...mark }],
        ...mark,
      },
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
  ])('%s', (_, body, expected) => {
    expect(problemOf(body)).toContain(expected);
  });
});

describe('accepted', () => {
  const calls = [{ type: 'thinking', thinking: 't', signature: 's' }, text('b'), use('i'), use('j')];
  const answered = [
    user('a'),
    assistant(calls),
    user([result('i'), result('j', { is_error: true }), text('c')]),
  ];
  test.each<[string, unknown]>([
    ['a plain request', GOOD],
    ['a whole exchange', withMessages(...answered)],
    ['system blocks', { ...GOOD, system: [{ ...text('s'), ...mark }] }],
    ['four breakpoints', { ...GOOD, system: [1, 2, 3].map(() => ({ ...text('s'), ...mark })), ...mark }],
    ['system messages between', withMessages({ role: 'system', content: 'env' }, ...answered)],
    ['a server tool without schema', withTools({ type: 'web_search_20260318', name: 'web_search' })],
    ['a chosen tool', { ...GOOD, tool_choice: { type: 'tool', name: 'read_file' } }],
    ['prefill of an older model', older(user('a'), assistant('b'))],
    [
      'an invented tool answered by an error',
      withMessages(user('a'), assistant([use('i', 'fly')]), user([result('i', { is_error: true })])),
    ],
    [
      'a tool named in a system message',
      withMessages(
        { role: 'system', content: 'Deferred: fly' },
        user('a'),
        assistant([use('i', 'fly')]),
        user([result('i')]),
      ),
    ],
  ])('%s', (_, body) => {
    expect(problemOf(body)).toBeNull();
  });

  test('a tool that was offered by an earlier request', () => {
    const body = withMessages(user('a'), assistant([use('i', 'fly')]), user([result('i')]));
    expect(problemOf(body, ['fly'])).toBeNull();
  });
});

test('a refused request is answered as the API does and recorded', async () => {
  const model = startScriptedModel(scriptOf({ text: 'a' }));
  const failure = await clientOf(model.url)
    .messages.create({ ...HELLO, max_tokens: -1 })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 400, type: 'invalid_request_error' });
  const broken = await post(model.url, '{');
  expect(broken.status).toBe(400);
  expect(model.requests).toMatchObject([
    {
      status: 400,
      turn: -1,
      dialogue: null,
      problem: 'max_tokens: Input should be greater than or equal to 1',
    },
    { status: 400, body: { messages: [] }, problem: expect.stringContaining('not valid JSON') },
  ]);
  await model.stop();
});
