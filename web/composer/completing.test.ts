import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { addressesOne, type Candidate, completed, fitting, isComplete, triggerAt } from './completing.ts';

const at = (marked: string) => {
  const caret = marked.indexOf('|');
  return triggerAt(marked.replace('|', ''), caret);
};

test('a name is completed after an @ that begins a word', () => {
  expect(at('Ask @en|')).toEqual({ kind: 'agent', query: 'en', start: 4, end: 7 });
  expect(at('@|')).toEqual({ kind: 'agent', query: '', start: 0, end: 1 });
  expect(at('(@q|')?.query).toBe('q');
  // In the middle of a word all of it is replaced.
  expect(at('@en|gineer, go')).toEqual({ kind: 'agent', query: 'en', start: 0, end: 9 });
});

test('an address, a path and what is behind the word are no names', () => {
  for (const text of ['mail me@home|', 'a/@b|', '@ceo |', 'plain|', 'é@x|']) expect(at(text)).toBeNull();
});

test('a skill is completed after a slash that stands alone, with or without its sign', () => {
  expect(at('/|')).toMatchObject({ kind: 'skill', query: '' });
  expect(at('use /ski|')).toMatchObject({ kind: 'skill', query: '', start: 4 });
  expect(at('use /skill:ti|')).toMatchObject({ query: 'ti' });
  expect(at('use /tidy|')).toMatchObject({ query: 'tidy' });
  expect(at('src/file|')).toBeNull();
});

const candidate = (name: string, title: string, isHere = true): Candidate => ({ name, title, isHere });
const team = [
  candidate('architect', 'Architect', false),
  candidate('ceo', 'CEO'),
  candidate('export-engineer', 'Format expert'),
  candidate('engineer', 'Engineer'),
  candidate('qa', 'Quality Engineer'),
];
const names = (query: string) => fitting(query, team).map(({ name }) => name);

test('names come before parts of names, those before titles; without a word those of the space first', () => {
  expect(names('en')).toEqual(['engineer', 'export-engineer', 'qa']);
  expect(names('QUAL')).toEqual(['qa']);
  expect(names('gine')).toEqual(['engineer', 'export-engineer']);
  expect(names('').at(-1)).toBe('architect');
  expect(names('zzz')).toEqual([]);
  expect(fitting('ceo', [candidate('céo', '')])).toHaveLength(1);
});

test('what is written out is complete', () => {
  expect(isComplete('CEO', fitting('CEO', team))).toBe(true);
  expect(isComplete('en', fitting('en', team))).toBe(false);
});

test('a completed text holds the name where the trigger was, for any text around it', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const text = `${before} @en${after}`;
      const caret = before.length + 4;
      const trigger = triggerAt(text, caret);
      if (trigger === null) throw new Error('a word after a space is a trigger');
      const inserted = completed(trigger, 'engineer', text);
      const result = text.slice(0, trigger.start) + inserted + text.slice(trigger.end);
      expect(result.startsWith(`${before} @engineer`)).toBe(true);
      expect(result.slice(trigger.start)).toMatch(/^@engineer\s/);
    }),
  );
});

test('an agent is addressed by its whole name alone', () => {
  expect(addressesOne('Hi @CEO, look', ['ceo'])).toBe(true);
  expect(addressesOne('Hi @ceos', ['ceo'])).toBe(false);
  expect(addressesOne('me@ceo', ['ceo'])).toBe(false);
  expect(addressesOne('', ['ceo'])).toBe(false);
});
