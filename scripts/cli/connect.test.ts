import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverUrl, tokenFor } from './connect.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cctl-connect-'));
  await writeFile(join(dataDir, 'owner-token'), 'from-file\n');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('the owner-token file is sent to this machine only', () => {
  const env = { CONTROL_CENTER_DATA: dataDir };
  expect(tokenFor('http://127.0.0.1:4400', env)).toBe('from-file');
  expect(tokenFor('http://localhost:4400', env)).toBe('from-file');
  expect(tokenFor('http://127.0.0.1.example.com', env)).toBe(null);
  expect(tokenFor('https://control.example.com', env)).toBe(null);
});

test('a token in the environment wins, and goes where the person points', () => {
  const env = { CONTROL_CENTER_DATA: dataDir, CONTROL_CENTER_TOKEN: 'mine' };
  expect(tokenFor('https://control.example.com', env)).toBe('mine');
});

test('the URL is what is given, else the environment’s, else this machine’s usual port', () => {
  const env = { CONTROL_CENTER_URL: 'http://127.0.0.1:1' };
  expect(serverUrl(env, 'http://127.0.0.1:2/some/path')).toBe('http://127.0.0.1:2');
  expect(serverUrl(env)).toBe('http://127.0.0.1:1');
  expect(serverUrl({ CONTROL_CENTER_PORT: '5000' })).toBe('http://127.0.0.1:5000');
  expect(serverUrl({})).toBe('http://127.0.0.1:4400');
});
