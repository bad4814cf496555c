import { expect, test } from 'bun:test';
import { ApiProblem } from '../api/problem.ts';
import { faultAt } from './faults.ts';

const problem = (faults: unknown) => new ApiProblem(400, 'invalid_request', 'no', { faults }, false);

test('what the server has against a field and what is below it', () => {
  const error = problem([
    { path: 'name', message: 'must not be blank' },
    { path: 'repositories[0].path', message: 'is no repository' },
    { path: 'names', message: 'another field' },
  ]);
  expect(faultAt(error, 'name')).toBe('must not be blank');
  expect(faultAt(error, 'repositories')).toBe('is no repository');
  expect(faultAt(error, 'repositories[0].path')).toBe('is no repository');
  expect(faultAt(error, 'repositories[1]')).toBeNull();
});

test('errors of another shape say nothing about fields', () => {
  expect([faultAt(null, 'name'), faultAt(new Error('x'), 'name'), faultAt(problem('text'), 'name')]).toEqual([
    ...[null, null, null],
  ]);
});
