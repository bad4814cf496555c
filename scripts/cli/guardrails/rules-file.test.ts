import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRulesFile } from './rules-file.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cctl-rules-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function read(text: string) {
  await writeFile(join(directory, 'rules.json'), text);
  return readRulesFile('rules.json', directory);
}

test('rules are read as a workspace has them, and what a short one leaves out is filled in', async () => {
  const whole = { id: 'gr_1', scope: 'space', scopeId: 'spc_1', effect: 'git_push', action: 'allow' };
  const short = { effect: 'package_install', action: 'deny' };
  expect(await read(JSON.stringify([whole, short]))).toEqual([
    whole,
    { id: '[1]', scope: 'workspace', scopeId: null, effect: 'package_install', action: 'deny' },
  ] as never);
});

test.each([
  ['not json', 'is no JSON'],
  ['{}', '(whole): '],
  [JSON.stringify([{ effect: 'git_push', action: 'deny', scoep: 'space' }]), 'scoep'],
  [
    JSON.stringify([
      { effect: 'git_push', action: 'deny' },
      { effect: 'git_push', action: 'ask' },
    ]),
    '[1]: [0] is a rule for git_push of the workspace too',
  ],
  [
    JSON.stringify([
      { effect: 'git_push', action: 'deny', scope: 'agent', scopeId: 'agt_1' },
      { effect: 'pr_create', action: 'ask', scope: 'agent', scopeId: 'agt_2' },
    ]),
    '[1].scopeId: is another agent than that of [0]',
  ],
])('%s is refused', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test('every fault is named, and a file that is not there is wrong usage', async () => {
  const text = JSON.stringify([
    { effect: 'push', action: 'deny' },
    3,
    { effect: 'git_push', action: 'never' },
  ]);
  const error = await read(text).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ exitStatus: 2 });
  for (const path of ['[0].effect: ', '[1]: ', '[2].action: ']) expect(String(error)).toContain(path);
  await expect(readRulesFile('none.json', directory)).rejects.toMatchObject({ exitStatus: 2 });
});
