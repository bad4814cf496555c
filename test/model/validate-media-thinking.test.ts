import { describe, expect, test } from 'bun:test';
import { HELLO, READ_FILE } from './test-client.ts';
import { checkRequest } from './validate-request.ts';

/** What is looked for in images, documents and thinking; the rules between messages have a test of their own. */

function problemOf(body: unknown): string | null {
  return checkRequest(body, new Set(), true).problem;
}

const PNG = Buffer.from('png bytes').toString('base64');
const base64 = (media_type: string, data: unknown = PNG) => ({ type: 'base64', media_type, data });
const image = (source: unknown) => ({ type: 'image', source });
const document = (source: unknown) => ({ type: 'document', source });
const shown = (block: unknown) => ({ ...HELLO, messages: [{ role: 'user', content: [block] }] });
const inResult = (...content: unknown[]) => ({
  ...HELLO,
  tools: [READ_FILE],
  messages: [
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'i', name: 'read_file', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'i', content }] },
  ],
});

describe('media', () => {
  test.each([
    ['an image', shown(image(base64('image/png')))],
    ['a PDF', shown(document(base64('application/pdf')))],
    [
      'an image beside text in a result',
      inResult({ type: 'text', text: 'a.png' }, image(base64('image/webp'))),
    ],
    ['a PDF in a result', inResult(document(base64('application/pdf')))],
    ['an image by its address', shown(image({ type: 'url', url: 'https://images.example/a.png' }))],
  ])('%s is taken', (_name, body) => {
    expect(problemOf(body)).toBeNull();
  });

  test.each([
    ['no source', shown(image(undefined)), 'image.source: Field required'],
    [
      'a source of no kind',
      shown(image({ type: 'path' })),
      "does not match any of the expected tags: 'base64'",
    ],
    ['a kind of image that is none', shown(image(base64('image/bmp'))), 'base64.media_type: Input should be'],
    ['a picture as a document', shown(document(base64('image/png'))), 'document.source.base64.media_type'],
    ['no data', shown(image(base64('image/png', ''))), 'image/png cannot be empty'],
    ['data that is no base64', shown(image(base64('image/png', 'a b!'))), 'valid base64'],
    ['a picture that is too large', shown(image(base64('image/png', 'A'.repeat(7_000_000)))), 'exceeds 5 MB'],
    [
      'a call in a result',
      inResult({ type: 'tool_use', id: 'j' }),
      '`tool_use` blocks cannot be in a tool result',
    ],
    ['a bad picture in a result', inResult(image(base64('image/bmp'))), 'tool_result.content.0.image.source'],
  ])('%s is refused', (_name, body, problem) => {
    expect(problemOf(body)).toContain(problem);
  });
});

describe('thinking', () => {
  const think = (rest: object) => ({ ...HELLO, max_tokens: 4_000, ...rest });
  const OLD = 'claude-haiku-4-5';

  test.each([
    ['adaptive with effort', think({ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } })],
    ['a budget', think({ thinking: { type: 'enabled', budget_tokens: 2_000 } })],
    [
      'a budget of an older model',
      think({ model: OLD, thinking: { type: 'enabled', budget_tokens: 2_000 } }),
    ],
    ['none', think({ model: OLD })],
    ['disabled', think({ thinking: { type: 'disabled' } })],
  ])('%s is taken', (_name, body) => {
    expect(problemOf(body)).toBeNull();
  });

  test.each([
    ['adaptive of an older model', think({ model: OLD, thinking: { type: 'adaptive' } }), 'is not supported'],
    ['effort of an older model', think({ model: OLD, output_config: { effort: 'low' } }), 'effort parameter'],
    ['an unknown effort', think({ output_config: { effort: 'huge' } }), "effort: Input should be 'low'"],
    ['no budget', think({ thinking: { type: 'enabled' } }), 'budget_tokens: Field required'],
    ['a small budget', think({ thinking: { type: 'enabled', budget_tokens: 100 } }), 'than or equal to 1024'],
    [
      'a budget of the whole answer',
      think({ thinking: { type: 'enabled', budget_tokens: 4_000 } }),
      '`max_tokens` must be greater',
    ],
    ['an unknown kind', think({ thinking: { type: 'deep' } }), 'thinking.type: Input should be'],
    ['a word', think({ thinking: 'yes' }), 'thinking: Input should be an object'],
  ])('%s is refused', (_name, body, problem) => {
    expect(problemOf(body)).toContain(problem);
  });
});
