import { afterEach, beforeEach, expect, test } from 'bun:test';
import { SignInStage } from './sign-in-stage.ts';

let stage: SignInStage;
beforeEach(async () => {
  stage = new SignInStage();
  await stage.start();
});
afterEach(() => stage.end());

test('ten failures are let through in a minute, and also a valid code waits then', async () => {
  const code = await stage.newCode();
  const failed = await Promise.all(Array.from({ length: 30 }, () => stage.signIn('wrong')));
  const statuses = failed.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
  const refused = await stage.signIn(code);
  expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([
    429,
    'too_many_requests',
    true,
  ]);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeWithin(1, 61);
});

test('whoever succeeds is not counted, and nor is what is no attempt', async () => {
  for (let i = 0; i < 15; i++) {
    await stage.signedIn();
    expect((await stage.call('POST', '/api/session', {}, { code: 7 })).status).toBe(400);
  }
  expect((await stage.signIn('wrong')).status).toBe(401);
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{}',
  '{"code":""}',
  '{"code":1}',
  '{"code":"x","more":1}',
  `{"code":"${'x'.repeat(201)}"}`,
])('the body %j is refused', async (body) => {
  expect((await stage.call('POST', '/api/session', {}, body)).body.code).toBe('invalid_request');
});

test('a body that is large, or no JSON, is not even read', async () => {
  expect((await stage.call('POST', '/api/session', {}, `{"code":"${'x'.repeat(5_000)}"}`)).body.code).toBe(
    'too_large',
  );
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await stage.call('POST', '/api/session', form, 'code=x')).body.code).toBe('invalid_request');
  const text = { 'content-type': 'text/plain' };
  expect((await stage.call('POST', '/api/session', text, '{"code":"x"}')).body.code).toBe('invalid_request');
});
