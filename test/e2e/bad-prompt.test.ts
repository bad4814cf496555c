import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Ran, runCctl } from '../../scripts/cli/testing/run-cctl.ts';
import { DEMO_PROPOSAL } from '../../scripts/demo/demo-proposal.ts';
import { ownerToken } from './server-process.ts';
import {
  createWorld,
  founded,
  onWord,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  until,
  type World,
} from './world.ts';

/** Moves the cursor, sets the title and the clipboard, recolours, starts a line anew, and turns text around. */
const HOSTILE =
  'a\u001b[2J\u001b]0;title\u0007\u001b]52;c;eA==\u0007\u001b[31mred\u009b1m\rFAKE \u202egnp.exe\u2066\u061c b';
const UNSAFE = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const hostile = (text: string) => `${text} ${HOSTILE}`;
/** A title that turns text around is refused. */
const hostileTitle = (text: string) => hostile(text).replaceAll(/\p{Bidi_Control}/gu, '');
const [FIX] = DEMO_PROPOSAL.tickets;
/** A sound plan with hostile words in every text that people will be shown. */
const PLAN = {
  goal: hostile('goal'),
  roles: [
    {
      key: 'engineer',
      title: hostileTitle('role'),
      agent: { hire: { name: 'odd', persona: hostile('persona'), skills: ['a skill'] } },
    },
    { key: 'lead', title: 'Lead', agent: { existing: 'ceo' } },
  ],
  tickets: [
    {
      ...FIX,
      title: hostileTitle('ticket'),
      description: hostile('description'),
      references: [{ kind: 'file', value: hostile('file') }],
    },
  ],
  synthesis: { role: 'lead', brief: hostile('brief') },
  budgetMicros: 2_000_000,
};

let world: World;
let workspace: { ws: string; id: string; agents: Record<string, string> };

beforeAll(async () => {
  world = await createWorld(
    scriptOf(
      onWord('# Synthesis', {
        text: JSON.stringify({ deliverable: hostile('deliverable'), gaps: [hostile('gap')] }),
      }),
      onWord('hello', { text: 'Hello to you.' }),
      onWord('word word', {
        fault: { kind: 'status', status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' },
      }),
      onWord(
        'plan-it',
        { text: hostile('thinking'), tools: [toolCall('propose_orchestration', PLAN)] },
        { text: hostile('planned') },
      ),
      onWord(
        'say-it',
        { tools: [toolCall('create_ticket', { title: 'x', description: hostile('x') })] },
        { text: hostile('said') },
      ),
    ),
  );
  workspace = await founded(world, 'alpha');
});
afterAll(() => world.end());

function cctl(...args: string[]): Promise<Ran> {
  return runCctl(args, {
    CONTROL_CENTER_TOKEN: ownerToken(world.stage.dataDir),
    CONTROL_CENTER_URL: world.server.url,
  });
}

/** Nothing that a terminal obeys, in either stream. */
function expectPlain({ stdout, stderr }: Ran): void {
  expect(stdout).not.toMatch(UNSAFE);
  expect(stderr).not.toMatch(UNSAFE);
}

describe('a goal with what a terminal would obey', () => {
  test('is given, followed and shown, as text and as JSON, without any of it', async () => {
    const asked = await cctl('ask', hostile('say-it'), '--no-repo', '--mode', 'chat', '--workspace', 'alpha');
    expect({ exitCode: asked.exitCode, stderr: asked.stderr }).toMatchObject({ exitCode: 0 });
    expect(asked.stdout).toContain('said');
    expectPlain(asked);
    const { items } = await world.ok('GET', `${workspace.ws}/runs`);
    for (const command of [
      ['runs'],
      ['runs', 'show', items[0].id],
      ['inbox'],
      ['orchestrations'],
      ['workspace', 'list'],
    ]) {
      for (const json of [[], ['--json']]) {
        const ran = await cctl(...command, ...json);
        expect(ran.exitCode).toBe(0);
        expectPlain(ran);
        if (json.length > 0) JSON.parse(ran.stdout);
      }
    }
  }, 30_000);

  test('may be proposed, approved and set up: what is shown of it is plain', async () => {
    const { ws, agents } = workspace;
    const space = await spaceWith(world, ws, agents.ceo!, { mode: 'orchestrate' });
    const run = await said(world, ws, space, hostile('plan-it'));
    expect(run).toMatchObject({ status: 'completed', liveness: 'progressing' });
    const { items } = await world.ok('GET', `${ws}/orchestrations`);
    const id = items[0].id;
    expectPlain(await cctl('inbox'));
    expectPlain(await cctl('orchestrations', '--json'));
    const approved = await cctl('approve', id);
    expect(approved.exitCode).toBe(0);
    expectPlain(approved);
    const under = await until(
      () => world.ok('GET', `${ws}/orchestrations/${id}`),
      ({ status }) => status !== 'approved' && status !== 'proposed',
    );
    expect(under).toMatchObject({ failure: null });
    const followed = await cctl('follow', id);
    expect({ exitCode: followed.exitCode, stderr: followed.stderr }).toMatchObject({ exitCode: 0 });
    expect(followed.stdout).toContain('deliverable');
    expectPlain(followed);
  }, 30_000);
});

describe('a goal of no or of too many words', () => {
  test('empty', async () => {
    for (const goal of ['', ' \n\t ']) {
      expect(await cctl('ask', goal, '--no-repo')).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: 'error: The goal is empty: say what you want done.\n',
      });
    }
    const { ws, agents } = workspace;
    const space = await spaceWith(world, ws, agents.ceo!);
    const path = `${ws}/conversations/${space.mainConversationId}/messages`;
    for (const body of ['', ' \n\t ']) {
      expect(await world.api('POST', path, { body })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: { faults: [{ path: 'body' }] } },
      });
    }
  });

  test('a megabyte is one character too many; the longest there may be ends clearly, and a later message works', async () => {
    const { ws, agents } = workspace;
    const space = await spaceWith(world, ws, agents.ceo!);
    const path = `${ws}/conversations/${space.mainConversationId}/messages`;
    expect(await world.api('POST', path, { body: 'x'.repeat(1 << 20) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', detail: expect.stringContaining('1,000,000 characters') },
    });
    expect((await world.ok('GET', path)).items).toEqual([]);
    const run = await said(world, ws, space, 'word '.repeat(200_000));
    expect(run).toMatchObject({ status: 'failed', errorFamily: 'contextOverflow' });
    expect(await said(world, ws, space, 'hello')).toMatchObject({
      status: 'completed',
      summary: 'Hello to you.',
    });
    expect(JSON.stringify(world.model.requests.at(-1)!.body.messages).length).toBeLessThan(200_000);
  }, 30_000);

  test('a hundred thousand characters on the command line', async () => {
    const ran = await cctl(
      'ask',
      'hello '.repeat(16_000),
      '--no-repo',
      '--mode',
      'chat',
      '--workspace',
      'alpha',
    );
    expect({ exitCode: ran.exitCode, stderr: ran.stderr.slice(-500) }).toMatchObject({ exitCode: 0 });
  }, 30_000);
});

test.each([
  [['follow', 'tkt_1']],
  [['approve', 'run_1']],
  [['reject', 'ws_1', '--reason', 'x']],
  [['cancel', 'orc_1; rm -rf /']],
  [['decide', 'orc_1', 'approve']],
  [['runs', 'show', '../../etc/passwd']],
  [['runs', 'resume', `run_${HOSTILE}`]],
  [['ask', 'x', '--no-repo', '--workspace', 'ws_none']],
])('an id that is none, %j: one line that names it', async (args) => {
  const ran = await cctl(...args);
  expect(ran.stderr).toMatch(/^error: There is no [^\n]+\n$/);
  expectPlain(ran);
  expect([ran.exitCode, ran.stdout]).toEqual([1, '']);
});
