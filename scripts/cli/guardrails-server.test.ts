import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelScript } from '../../test/model/script.ts';
import { createDemoRepository } from '../demo/demo-repository.ts';
import { type Ran, runCctl } from './testing/run-cctl.ts';
import { createServerStage, type Served, type ServerStage } from './testing/served.ts';

/** The commands of guardrails, approvals and plans against the real server. */

const PLAN = {
  goal: 'Mend the total',
  nodes: [{ key: 'mend', title: 'Mend it', description: 'Take vouchers.' }],
};

const OUTSIDE = { name: 'run_command', input: { command: 'git push nowhere HEAD' } };

const script: ModelScript = {
  name: 'a plan, and a plan again',
  dialogues: [
    {
      name: 'plans anew',
      when: { user: /smaller/i },
      turns: [{ text: 'I leave it to you.' }],
    },
    {
      name: 'brings a plan together',
      when: { user: /^# Synthesis/m },
      turns: [{ text: '```json\n{"deliverable": "The total is mended.", "gaps": []}\n```' }],
    },
    {
      name: 'reads a secret',
      when: { user: /look it up/i },
      turns: [
        { tools: [{ name: 'run_command', input: { command: 'cat ~/.netrc' } }] },
        { text: 'I may not.' },
      ],
    },
    {
      name: 'makes the same call, and again when it is allowed',
      when: { user: /now it is allowed/i },
      turns: [{ tools: [OUTSIDE] }, { text: 'It is there.' }],
    },
    {
      name: 'writes outside',
      when: { user: /try the file/i },
      turns: [{ tools: [OUTSIDE] }, { text: 'I may not yet.' }],
    },
    {
      name: 'plans',
      when: { user: /make a plan/i },
      turns: [{ tools: [{ name: 'submit_plan', input: PLAN }] }, { text: 'Planned.' }],
    },
  ],
  otherwise: { text: 'Forty-two.' },
};

let stage: ServerStage;
beforeAll(() => {
  stage = createServerStage(script);
});
afterEach(() => stage.killAll());
afterAll(() => stage.remove());

const json = (ran: Ran, isQuiet = true) => {
  const stderr = isQuiet ? '' : ran.stderr;
  expect({ exitCode: ran.exitCode, stderr: ran.stderr }).toEqual({ exitCode: 0, stderr });
  return JSON.parse(ran.stdout);
};

async function servedWithWorkspace(): Promise<Served> {
  const served = await stage.serve();
  const asked = await served.cctl('ask', 'What is it?', '--mode', 'chat', '--no-repo');
  expect(asked.exitCode).toBe(0);
  return served;
}

test('rules are set, listed, held for a space, removed, and all of it is in the audit log', async () => {
  const { cctl } = await servedWithWorkspace();
  const [space] = json(await cctl('space', '--json')).items;
  const rule = json(
    await cctl('guardrails', 'rules', 'set', 'git_push', 'deny', '--space', space.id, '--json'),
  );
  expect(rule).toMatchObject({ scope: 'space', scopeId: space.id, effect: 'git_push', action: 'deny' });
  const agents = await cctl('guardrails', 'rules', 'set', 'package_install', 'ask', '--agent', 'qa');
  expect(agents.exitCode).toBe(0);
  const listed = json(await cctl('guardrails', 'rules', 'list', '--json')).items;
  expect(listed.map(({ scopeName }: { scopeName: string }) => scopeName)).toEqual(['What is it?', 'qa']);
  const shown = json(await cctl('space', 'show', space.id, '--json'));
  expect(shown.rules.map(({ id }: { id: string }) => id)).toEqual([rule.id]);
  const set = ['--mode', 'plan', '--autonomy', 'proposeOnly', '--when-nobody', 'wait'];
  expect(json(await cctl('space', 'set', space.id, ...set, '--json'))).toMatchObject({
    ...{ mode: 'plan', autonomy: 'proposeOnly', whenNobody: 'wait' },
  });
  json(await cctl('guardrails', 'rules', 'remove', rule.id, '--json'));
  const file = join(stage.home, 'audit.ndjson');
  const { entries } = json(await cctl('audit', '--export', file, '--json'));
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBe(entries);
  const done = lines.map((line) => JSON.parse(line));
  expect(done).toEqual(json(await cctl('audit', '--last', '100000', '--json')).items);
  expect(done.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['guardrail.set', 'guardrail.removed', 'space.changed']),
  );
  const removed = done.find(({ action }) => action === 'guardrail.removed');
  expect(removed).toMatchObject({ subject: rule.id, source: { via: 'http', agent: 'cctl/0.1.0' } });
  expect(removed.actor).toStartWith('person:');
}, 60_000);

test('the honesty matrix is of this host, and reviews that cannot be opened say why', async () => {
  const { cctl } = await servedWithWorkspace();
  const matrix = json(await cctl('honesty', '--json'));
  expect(matrix.adapters.map(({ adapter }: { adapter: string }) => adapter)).toContain('cc-harness');
  expect((await cctl('review')).stdout).toContain('No reviews yet.');
  const refused = await cctl('review', 'open', 'https://example.com/no/pull');
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringMatching(/^error: .*\n$/)]);
}, 60_000);

test('without a terminal an action that has to be asked is refused, named, and marked in the inbox', async () => {
  const { cctl } = await servedWithWorkspace();
  const repository = join(stage.home, 'shop');
  createDemoRepository(repository);
  const asked = await cctl('ask', 'Look it up', '--mode', 'chat', '--repo', repository);
  expect([asked.exitCode, asked.stdout]).toEqual([0, expect.stringContaining('I may not.')]);
  expect(asked.stderr).toContain('1 action refused because nobody was there');
  const [, id = ''] = /cctl decide (apr_\w+) approve/.exec(asked.stderr) ?? [];
  const inbox = await cctl('inbox');
  expect(inbox.stdout).toContain('action, refused: nobody was there');
  expect(inbox.stdout).toContain('    run_command cat ~/.netrc [secret_access]');
  expect((await cctl('decide', id, 'refuse', '--reason', 'Never.')).exitCode).toBe(0);
  expect((await cctl('inbox')).stdout).toBe('Nothing waits for you.\n');
  const again = await cctl('decide', id, 'approve');
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringMatching(/This was refused already/)]);
}, 60_000);

test('what was allowed too late is tried again in its space, and what ended there before is no part of it', async () => {
  const { cctl } = await servedWithWorkspace();
  const repository = join(stage.home, 'again');
  createDemoRepository(repository);
  const asked = await cctl('ask', 'Try the file', '--mode', 'chat', '--repo', repository);
  const [, id = ''] = /cctl decide (apr_\w+) approve/.exec(asked.stderr) ?? [];
  const decided = await cctl('decide', id, 'approve');
  const [, space = ''] = /cctl ask --space (spc_\w+) "Try again"/.exec(decided.stdout) ?? [];
  expect(asked.stderr).toContain(`cctl ask --space ${space} "Try again"`);
  const again = await cctl('ask', '--space', space, 'Now it is allowed');
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('It is there.')]);
  expect(again.stderr).not.toContain('refused');
  const unknown = await cctl('ask', '--space', 'spc_none', 'Anything');
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('cctl space list')]);
}, 60_000);

test('a plan waits for a person, goes back for changes and is rejected', async () => {
  const { cctl } = await servedWithWorkspace();
  const ask = ['ask', 'Make a plan', '--mode', 'plan', '--no-repo'];
  const asked = await cctl(...ask);
  expect(asked.exitCode).toBe(3);
  const [plan] = json(await cctl('plans', '--json')).items;
  expect(plan).toMatchObject({ kind: 'plan', status: 'proposed', goal: PLAN.goal });
  expect(asked.stderr).toContain(`cctl approve ${plan.id}`);
  const { items } = json(await cctl('inbox', '--json'));
  expect(items).toMatchObject([{ approval: { kind: 'orchestration', agentName: 'ceo', status: 'pending' } }]);
  expect((await cctl('plans', 'show', plan.id)).stdout).toContain('mend  Mend it');
  expect((await cctl('request-changes', plan.id, '--reason', 'Smaller, please.')).exitCode).toBe(0);
  expect(json(await cctl('inbox', '--json')).count).toBe(0);
  const early = await cctl('approve', plan.id, '--json');
  expect([early.exitCode, JSON.parse(early.stderr).status]).toEqual([1, 409]);
  const waited = await cctl('follow', plan.id, '--wait', '1');
  expect(waited.exitCode).toBe(3);
  expect(waited.stderr).toContain('no agent is at work on them');
  expect((await cctl('reject', plan.id, '--reason', 'No.')).exitCode).toBe(0);
}, 60_000);

test('an approved plan is worked off and followed to its end, and its space is back in chat', async () => {
  const { cctl } = await servedWithWorkspace();
  const ran = await cctl('ask', 'Make a plan', '--mode', 'plan', '--no-repo', '--yes', '--json');
  expect(ran.exitCode).toBe(0);
  const { end, spaceId, orchestrationId } = JSON.parse(ran.stdout);
  expect(end).toBe('completed');
  expect(json(await cctl('space', 'show', spaceId, '--json')).mode).toBe('chat');
  expect((await cctl('follow', orchestrationId)).exitCode).toBe(0);
  expect((await cctl('cancel', orchestrationId)).exitCode).toBe(1);
  const again = json(await cctl('ask', '--space', spaceId, 'Anything smaller?', '--json'), false);
  expect(again).toMatchObject({ end: 'answered', orchestrationId: null });
}, 60_000);

test('a server is asked about what has a workspace, and not about what has none', async () => {
  const { cctl } = await servedWithWorkspace();
  expect((await cctl('guardrails', 'rules', 'set', 'git_push', 'deny')).exitCode).toBe(0);
  const line = json(await cctl('guardrails', 'explain', '--command', 'git push', '--json'));
  expect(line).toMatchObject({
    command: 'git push',
    decision: 'deny',
    rule: { kind: 'rule', scope: 'workspace' },
  });
  const tool = [
    'guardrails',
    'explain',
    '--tool',
    'write_file',
    '--input',
    '{"path":"a","content":"b"}',
    '--json',
  ];
  expect(json(await cctl(...tool, '--mode', 'plan'))).toMatchObject({ command: null, decision: 'deny' });
  const alone = await runCctl(['guardrails', 'explain', '--command', 'git push', '--json'], stage.env);
  expect(json(alone)).toMatchObject({ decision: 'ask', rule: { kind: 'default' } });
}, 60_000);
