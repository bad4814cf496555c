import { afterEach, expect, test } from 'bun:test';
import { DEMO_PROPOSAL } from '../../scripts/demo/demo-proposal.ts';
import type { ScriptedTurn } from '../model/script.ts';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  until,
  type World,
} from './world.ts';

let world: World;
afterEach(() => world.end());

const [FIX, CSV, VERIFY] = DEMO_PROPOSAL.tickets;
const propose = (change: Json = {}): ScriptedTurn => ({
  tools: [toolCall('propose_orchestration', { ...DEMO_PROPOSAL, ...change })],
});
const tickets = (...list: unknown[]) => propose({ tickets: list });
const SAID: ScriptedTurn = { text: 'It waits for you.' };

/** Each proposal is refused with these faults; what is in no list must not be named. */
const REFUSED: [string, ScriptedTurn, string[]][] = [
  [
    'a circle',
    tickets({ ...FIX, needs: ['verify'] }, CSV, VERIFY),
    ['tickets[2].needs[0]: closes the circle', 'fix-total → verify'],
  ],
  [
    'a dangling need',
    tickets({ ...FIX, needs: ['nowhere'] }, CSV, VERIFY),
    ['tickets[0].needs[0]: no ticket has the key "nowhere"'],
  ],
  [
    'an unknown role',
    tickets({ ...FIX, role: 'pilot' }, CSV, VERIFY),
    ['tickets[0].role: no role has the key "pilot"'],
  ],
  [
    'keys that are the same',
    tickets(FIX, { ...CSV, key: 'fix-total' }, { ...VERIFY, needs: ['fix-total'] }),
    ['tickets[1].key: ticket "fix-total" is already at tickets[0].key'],
  ],
  [
    'an agent that is not there',
    propose({
      roles: [
        { key: 'engineer', title: 'E', agent: { existing: 'nobody' } },
        ...DEMO_PROPOSAL.roles.slice(1),
      ],
    }),
    ['roles[0].agent.existing: there is no agent "nobody"'],
  ],
  [
    'a hire whose name is taken',
    propose({
      roles: [
        ...DEMO_PROPOSAL.roles.slice(0, 3),
        { key: 'lead', title: 'L', agent: { hire: { name: 'qa', persona: 'p' } } },
      ],
    }),
    ['roles[3].agent.hire.name: there is an agent qa already'],
  ],
  [
    'a skill that no line holds',
    propose({
      roles: [
        ...DEMO_PROPOSAL.roles.slice(0, 3),
        { key: 'lead', title: 'L', agent: { hire: { name: 'l', persona: 'p', skills: ['a\u001b[31m'] } } },
      ],
    }),
    ['roles[3].agent.hire.skills[0]: must be a single line'],
  ],
  ['no tickets', tickets(), ['tickets: ']],
  [
    'too many tickets',
    tickets(...Array.from({ length: 1001 }, (_, i) => ({ ...FIX, key: `t-${i}` }))),
    ['tickets: 1001 tickets, 1000 are allowed'],
  ],
  [
    'everything at once',
    {
      tools: [
        toolCall('propose_orchestration', {
          ...DEMO_PROPOSAL,
          goal: '',
          roles: [...DEMO_PROPOSAL.roles, { key: 'ghost', title: 'G', agent: { existing: 'nobody' } }],
          tickets: [
            { ...FIX, needs: ['verify'], role: 'pilot' },
            { ...CSV, key: 'fix-total', needs: ['nowhere'] },
            { ...VERIFY, needs: ['fix-total'], colour: 'red' },
          ],
          budgetMicros: -1,
        }),
      ],
    },
    [
      'goal: ',
      'roles[4].agent.existing: ',
      'tickets[0].role: ',
      'tickets[1].key: ',
      'tickets[1].needs[0]: ',
      'closes the circle',
      'tickets[2].colour: ',
      'budgetMicros: ',
    ],
  ],
  ['no object', { tools: [toolCall('propose_orchestration', [])] }, ['not a valid JSON object']],
  ['ill-formed text', propose({ goal: 'half a pair \ud800 and \0' }), ['goal: must be well-formed Unicode']],
];

test('a refused proposal is told every fault by path, leaves nothing, and its agent mends it in the same run', async () => {
  const turns = [...REFUSED.map(([, turn]) => turn), propose(), SAID];
  world = await createWorld(scriptOf(onWord('plan it', ...turns)));
  const { ws, agents } = await founded(world, 'alpha');
  const space = await spaceWith(world, ws, agents.ceo!, { mode: 'orchestrate' });
  const run = await said(world, ws, space, 'please plan it');
  expect(run).toMatchObject({ status: 'completed', liveness: 'progressing', summary: 'It waits for you.' });
  const results = await toolResults(world, ws, run.id);
  expect(results.length).toBe(REFUSED.length + 1);
  for (const [i, [name, , words]] of REFUSED.entries()) {
    expect({ name, isError: results[i]!.isError }).toEqual({ name, isError: true });
    for (const word of words) expect(results[i]!.content).toContain(word);
  }
  expect(results.at(-1)!.content).toContain('It waits for a person');
  expect(world.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
  await expectOneProposal(ws, space);
});

/** One orchestration with its ticket, card and approval, and no trace of any other. */
async function expectOneProposal(ws: string, space: Json): Promise<void> {
  const { items: orchestrations } = await world.ok('GET', `${ws}/orchestrations`);
  expect(orchestrations).toMatchObject([{ status: 'proposed', revision: 1 }]);
  const [{ parentTicketId, approvalId, messageId }] = orchestrations;
  const ids = async (noun: string) =>
    (await world.ok('GET', `${ws}/${noun}`)).items.map(({ id }: Json) => id);
  expect(await ids('tickets')).toEqual([parentTicketId]);
  expect(await ids('approvals')).toEqual([approvalId]);
  const { items: messages } = await world.ok(
    'GET',
    `${ws}/conversations/${space.mainConversationId}/messages`,
  );
  expect(messages.map(({ kind }: Json) => kind)).toEqual(['text', 'proposal', 'text']);
  expect(messages[1].id).toBe(messageId);
  const { items: events } = await world.ok('GET', `${ws}/events`);
  const kinds = events
    .map(({ type }: Json) => type)
    .filter((type: string) => /^(orchestration|ticket|approval)\./.test(type));
  expect(kinds.sort()).toEqual(['approval.requested', 'orchestration.proposed', 'ticket.created']);
}

const HIRE = 'export-engineer';

async function proposed() {
  world = await createWorld(scriptOf(onWord('mend it', mended, SAID), onWord('plan it', propose(), SAID)));
  const { ws, agents } = await founded(world, 'alpha');
  const space = await spaceWith(world, ws, agents.ceo!, { mode: 'orchestrate' });
  await said(world, ws, space, 'please plan it');
  const { items } = await world.ok('GET', `${ws}/orchestrations`);
  return { ws, space, id: items[0].id as string, approvalId: items[0].approvalId as string };
}

/** The same proposal under another name for the hire; the id stands in the message that asks for it. */
function mended({ messages }: { messages: unknown[] }): ScriptedTurn {
  const orchestrationId = /orc_[a-z0-9]+/.exec(JSON.stringify(messages))?.[0];
  const roles = DEMO_PROPOSAL.roles.map((role) =>
    role.key === 'exporter'
      ? { ...role, agent: { hire: { name: 'csv-engineer', persona: 'Careful.' } } }
      : role,
  );
  return { tools: [toolCall('propose_orchestration', { ...DEMO_PROPOSAL, roles, orchestrationId })] };
}

test('a name that is taken before the approval is a conflict; the proposal waits on and can be revised', async () => {
  const { ws, space, id, approvalId } = await proposed();
  await world.ok('POST', `${ws}/agents`, { name: HIRE, title: 'Somebody else' });
  const refused = await world.api('POST', `${ws}/orchestrations/${id}/approve`, { revision: 1 });
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'conflict',
      detail: expect.stringContaining(HIRE),
      errors: { faults: [{ path: 'roles[1].agent.hire.name', code: 'agent_exists' }] },
    },
  });
  expect(await world.ok('GET', `${ws}/orchestrations/${id}`)).toMatchObject({
    status: 'proposed',
    revision: 1,
  });
  expect(await world.ok('GET', `${ws}/approvals/${approvalId}`)).toMatchObject({ status: 'pending' });
  const run = await said(world, ws, space, `mend it: ${id}`);
  expect(await toolResults(world, ws, run.id)).toMatchObject([{ isError: false }]);
  expect(await world.ok('GET', `${ws}/orchestrations/${id}`)).toMatchObject({
    status: 'proposed',
    revision: 2,
  });
  await world.ok('POST', `${ws}/orchestrations/${id}/approve`, { revision: 2 });
  await until(
    () => world.ok('GET', `${ws}/orchestrations/${id}`),
    ({ status }) => status === 'executing',
  );
});

test('a name that is taken when the inbox has approved ends the orchestration, with the reason on card and ticket', async () => {
  const { ws, space, id, approvalId } = await proposed();
  await world.ok('POST', `${ws}/agents`, { name: HIRE, title: 'Somebody else' });
  const { digest } = await world.ok('GET', `${ws}/approvals/${approvalId}`);
  await world.ok('POST', `${ws}/approvals/${approvalId}/decision`, { decision: 'approved', digest });
  const ended = await until(
    () => world.ok('GET', `${ws}/orchestrations/${id}`),
    ({ status }) => status === 'failed',
  );
  expect(ended.failure).toMatchObject({ code: 'conflict', message: expect.stringContaining(HIRE) });
  const ticket = await until(
    () => world.ok('GET', `${ws}/tickets/${ended.parentTicketId}`),
    ({ status }) => status === 'failed',
  );
  expect(ticket.comments).toMatchObject([{ body: expect.stringContaining(HIRE) }]);
  const { items } = await world.ok('GET', `${ws}/conversations/${space.mainConversationId}/messages`);
  const card = items.find(({ kind }: Json) => kind === 'proposal');
  expect(card.body).toContain('Failed');
  expect(card.body).toContain(HIRE);
});
