import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseMentions } from './mentions.ts';
import { proseOf } from './prose.ts';

const AGENTS = ['qa', 'chief', 'engineer', 'data-engineer', 'v2'].map((name) => ({
  id: `agt_${name}`,
  name,
}));
const named = (text: string) => parseMentions(text, AGENTS).agentIds.map((id) => id.slice(4));
const noticed = (text: string) => parseMentions(text, AGENTS).notices.length;

describe('a mention wakes', () => {
  const cases: [string, string[]][] = [
    ['@qa', ['qa']],
    ['(@qa)', ['qa']],
    ['@QA please', ['qa']],
    ['请@qa看', ['qa']],
    ['看，@qa。', ['qa']],
    ['**@qa** _@chief_ ~~@v2~~', ['qa', 'chief', 'v2']],
    ['@qa, @engineer: @qa again', ['qa', 'engineer']],
    ["@qa's test, @chief. And @v2!", ['qa', 'chief', 'v2']],
    ['@qa/@engineer', ['qa', 'engineer']],
    ['cc:@qa "@chief" -@v2', ['qa', 'chief', 'v2']],
    ['> @qa said', ['qa']],
    ['- item\n\n    @qa in the item', ['qa']],
    ['see https://example.org/x, @qa', ['qa']],
    ['看https://example.org/x，请@qa看', ['qa']],
    ['[@qa](https://example.org)', ['qa']],
    ['`a` @qa `b`', ['qa']],
    ['an unclosed ` tick, @qa', ['qa']],
    ['an unclosed ``` run `` @qa', ['qa']],
    ['```\ncode\n```\n@qa', ['qa']],
    ['@data-engineer', ['data-engineer']],
    ['@qa- @chief--', ['qa', 'chief']],
  ];
  for (const [text, expected] of cases) {
    test(JSON.stringify(text), () => expect(named(text)).toEqual(expected));
  }
});

describe('nobody is woken by', () => {
  const silent = [
    'bob@qa.example',
    'bob@qa',
    'bob.smith+x@qa',
    'josé@qa',
    'x_@qa',
    '`@qa`',
    '`` a ` @qa ``',
    '`two\nlines @qa`',
    '```\n@qa\n```',
    '```ts\n@qa',
    '~~~\n```\n@qa\n~~~',
    '- ```\n  @qa\n  ```',
    '    @qa as code',
    'text\n\n\t@qa as code',
    '<code>@qa</code>',
    '<pre class="x">\n@qa</pre>',
    '<!-- @qa -->',
    'https://example.org/@qa',
    '<https://example.org/@qa>',
    'http://user@qa/',
    'www.example.org/@qa',
    'mailto:x@qa',
    'github.com/@qa',
    '[profile](/@qa)',
    '[profile]: /@qa',
    '\\@qa',
    '@@qa',
    '@ qa',
    '@',
    'npm i @types/node',
  ];
  for (const text of silent) {
    test(JSON.stringify(text), () =>
      expect(parseMentions(text, AGENTS)).toEqual({ agentIds: [], notices: [] }),
    );
  }
});

describe('an unknown or ambiguous mention wakes nobody and is said', () => {
  const cases = [
    '@chief-khaliq',
    '@chie',
    '@qa_bot',
    '@qaé',
    '@qa2',
    '@engineer-data',
    '@qa--x',
    '@qa.example',
    '@qa/lib',
  ];
  for (const text of cases) {
    test(text, () => expect([named(text), noticed(text)]).toEqual([[], 1]));
  }
  test('names that differ only in case are not guessed between', () => {
    const twins = [
      { id: 'agt_1', name: 'Qa' },
      { id: 'agt_2', name: 'qa' },
    ];
    const { agentIds, notices } = parseMentions('@qa', twins);
    expect([agentIds, notices.length]).toEqual([[], 1]);
  });
  test('once each', () => expect(noticed('@nobody @nobody @nowhere')).toBe(2));
});

const slug = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4}){0,2}$/);

test('a whole slug between separators is found whatever its case, and no other', () => {
  const separator = fc.constantFrom(' ', '\n', ', ', '(', ')', '。', '看', ' **', '; ');
  fc.assert(
    fc.property(
      fc.array(slug, { maxLength: 6 }),
      slug,
      fc.boolean(),
      separator,
      separator,
      (others, name, up, a, b) => {
        const agents = [...new Set([name, ...others])].map((each) => ({ id: each, name: each }));
        const text = `x${a === '看' ? ' 看' : a}@${up ? name.toUpperCase() : name}${b}`;
        const before = /[a-z]$/.test(`x${a}`);
        expect(parseMentions(text, agents).agentIds).toEqual(before ? [] : [name]);
      },
    ),
  );
});

test('a name that only begins or ends like an agent is never that agent', () => {
  fc.assert(
    fc.property(slug, slug, (name, more) => {
      const agents = [{ id: name, name }];
      expect(parseMentions(`@${name}-${more}`, agents).agentIds).toEqual([]);
      expect(parseMentions(`${more}@${name}`, agents).agentIds).toEqual([]);
      expect(parseMentions(`\`@${name}\` https://h/@${name}`, agents)).toEqual({ agentIds: [], notices: [] });
    }),
  );
});

test('any text is read without error, and prose keeps its length and lines', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(
          '`',
          '~',
          '\n',
          ' ',
          '@qa',
          '<',
          '>',
          '\\',
          '(',
          '[',
          ']',
          '\t',
          'é',
          '看',
          '😀',
          '-',
        ),
      }),
      (text) => {
        const prose = proseOf(text);
        expect(prose.length).toBe(text.length);
        expect(prose.split('\n').length).toBe(text.split('\n').length);
        for (const id of parseMentions(text, AGENTS).agentIds)
          expect(AGENTS.map((agent) => agent.id)).toContain(id);
      },
    ),
  );
});

test('a long hostile text takes no longer than its length warrants', () => {
  const texts = [
    '`'.repeat(100_000),
    '` '.repeat(50_000),
    '<code>'.repeat(20_000),
    '[]('.repeat(40_000),
    '@a'.repeat(50_000),
    '\n'.repeat(100_000),
    'a.'.repeat(50_000),
    '._'.repeat(50_000).concat('@qa'),
    '](('.repeat(30_000),
    '``` `'.repeat(20_000),
    '`a'.repeat(40_000),
    '<!--'.repeat(25_000),
    '<code'.repeat(20_000),
    '](a "'.repeat(20_000),
    '_'.repeat(100_000).concat('@qa'),
    '@qa_'.repeat(25_000),
    '._@'.repeat(30_000),
    'www.'.repeat(25_000),
    '\\`'.repeat(50_000),
    '    @qa\n\n'.repeat(10_000),
  ];
  for (const text of texts) {
    const at = performance.now();
    parseMentions(text, AGENTS);
    expect({ text: text.slice(0, 9), slow: performance.now() - at > 800 }).toEqual({
      text: text.slice(0, 9),
      slow: false,
    });
  }
});
