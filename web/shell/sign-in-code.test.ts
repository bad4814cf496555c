import { expect, test } from 'bun:test';
import { codeOf } from './sign-in-code.ts';

const CODE = 'CiMgInjFv4tLvawgcbo82MSOrtG2UEc1C5PfYQHAX68';

test('a code is found in a link, in a fragment, and alone', () => {
  expect(codeOf(`http://127.0.0.1:4400/sign-in#code=${CODE}`)).toBe(CODE);
  expect(codeOf(`#code=${CODE}`)).toBe(CODE);
  expect(codeOf(` ${CODE}\n`)).toBe(CODE);
  expect(codeOf(`Sign in here: http://localhost/sign-in#code=${CODE} within the day`)).toBe(CODE);
});

test('other text holds none', () => {
  expect(
    ['', '#', 'hello', 'http://localhost/sign-in', '#code=', 'two words that are long enough'].map(codeOf),
  ).toEqual(Array(6).fill(null));
});
