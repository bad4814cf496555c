import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { estimate, estimateNodes } from '../../core-wasm/core.ts';
import { driverOf } from './doubles/driver.ts';
import { answerScript, PERSON, proposalOf, World } from './doubles/world.ts';

setDefaultTimeout(30_000);

let world: World;
afterEach(() => world.end());

async function run(options: Parameters<typeof World.create>[0] = {}) {
  world = await World.create(options);
  await world.live();
  const drive = driverOf(world);
  const { id } = await drive.propose();
  await drive.approve(id);
  return { drive, id };
}

test('opens on a parent ticket, a card and an approval, and hires nobody before it is approved', async () => {
  world = await World.create();
  await world.live();
  const proposed = await driverOf(world).propose();
  expect(proposed).toMatchObject({
    status: 'proposed',
    revision: 1,
    approvedRevision: null,
    budgetMicros: 5_000_000,
  });
  expect(world.spaces.tickets).toMatchObject([
    { id: proposed.parentTicketId, status: 'open', title: 'Build the thing' },
  ]);
  expect(world.spaces.messages).toMatchObject([
    { id: proposed.messageId, kind: 'proposal', author: world.agent, data: { orchestrationId: proposed.id } },
  ]);
  expect(world.spaces.approvals).toMatchObject([
    { id: proposed.approvalId, status: 'pending', arguments: { orchestrationId: proposed.id, revision: 1 } },
  ]);
  expect(world.spaces.agents.map((agent) => agent.name)).toEqual(['ceo', 'engineer']);
});

test('goes from approval to the deliverable, in the shape of the proposal', async () => {
  const { drive, id } = await run({ repository: true });
  const done = await drive.ended(id, 'completed');
  expect(done.steps.map((step) => [step.key, step.state])).toEqual(
    [
      'start',
      'research',
      'position/lead',
      'position/tester',
      'ticket/api',
      'ticket/test',
      'collect',
      'synthesis',
      'deliver',
    ].map((key) => [key, 'done']),
  );
  expect(done).toMatchObject({
    deliverable: '# The whole',
    gaps: [],
    branch: `control-center/${id}`,
    failure: null,
  });
  expect(done).toMatchObject({ approvedRevision: 1, requestedBy: PERSON, pipelineStatus: 'completed' });
});

test('sets up agents, team, project, sub-tickets and budget as approved', async () => {
  const { drive, id } = await run();
  const done = await drive.ended(id, 'completed');
  const { spaces, runs } = world;
  const tess = spaces.agents.find((agent) => agent.name === 'tess');
  const engineer = spaces.agents.find((agent) => agent.name === 'engineer');
  expect(spaces.teams).toMatchObject([
    { id: done.teamId, projectId: done.projectId, members: [`agent:${engineer?.id}`, `agent:${tess?.id}`] },
  ]);
  expect(spaces.ticketTitled('Build the thing')).toMatchObject({ status: 'done', projectId: done.projectId });
  expect(spaces.ticketTitled('Make the API')).toMatchObject({
    ...{
      status: 'done',
      parentId: done.parentTicketId,
      assignee: `agent:${engineer?.id}`,
      projectId: done.projectId,
    },
  });
  expect(spaces.ticketTitled('Test the API').assignee).toBe(`agent:${tess?.id}`);
  expect(runs.budgets.get(id)).toBe(5_000_000);
  expect(new Set(runs.runs.map((one) => one.budgetScope))).toEqual(new Set([id]));
});

test('reads in review rooms, works in a chat room, and starts each worktree from what its ticket needs', async () => {
  const { drive, id } = await run({ repository: true });
  const done = await drive.ended(id, 'completed');
  const { spaces, runs } = world;
  const modeOf = (step: string): string | undefined => {
    const { spaceId } = spaces.conversations.find((one) => one.id === runs.runOf(step).conversationId) ?? {};
    return spaces.spaces.find((space) => space.id === spaceId)?.mode;
  };
  expect(['research', 'position/lead', 'ticket/api', 'ticket/test', 'synthesis'].map(modeOf)).toEqual([
    ...['review', 'review', 'chat', 'chat', 'review'],
  ]);
  const apiBranch = `control-center/${runs.runOf('ticket/api').conversationId}`;
  const testBranch = `control-center/${runs.runOf('ticket/test').conversationId}`;
  expect(runs.runOf('ticket/api').worktree).toEqual({ base: 'c0ffee', merge: [] });
  expect(runs.runOf('ticket/test').worktree).toEqual({ base: 'c0ffee', merge: [apiBranch] });
  expect(runs.integrations).toMatchObject([
    { branch: `control-center/${id}`, merge: [apiBranch, testBranch] },
  ]);
  expect(runs.runOf('synthesis').worktree).toEqual({ base: String(done.branch), merge: [] });
});

test('publishes positions in the roles’ names and the deliverable in both places, each once', async () => {
  const { drive, id } = await run();
  const done = await drive.ended(id, 'completed');
  const discussion = world.spaces.spaces.find((space) => space.id === done.discussionSpaceId);
  const of = (kind: string) => world.spaces.messages.filter((message) => message.kind === kind);
  expect(of('position').map((message) => message.conversationId)).toEqual(
    Array(2).fill(discussion?.mainConversationId),
  );
  expect(new Set(of('position').map((message) => message.author)).size).toBe(2);
  expect(of('deliverable').map((message) => message.conversationId)).toEqual([
    String(discussion?.mainConversationId),
    world.conversationId,
  ]);
  expect(of('proposal')).toMatchObject([{ data: { status: 'completed' } }]);
});

test('hands outputs on as named inputs, cut at 4,000 characters, the whole on the ticket', async () => {
  const long = `begin ${'x'.repeat(9_000)} end`;
  const { drive, id } = await run({ script: answerScript({ 'ticket/api': { text: long } }) });
  await drive.ended(id, 'completed');
  const ticket = world.spaces.ticketTitled('Make the API');
  const { prompt } = world.runs.runOf('ticket/test');
  expect(prompt).toContain('### ticket/api (Make the API)');
  expect(prompt).toContain(`Cut: 4000 of ${long.length} characters`);
  expect(prompt).toContain(`ticket ${ticket.id}; read it with read_ticket`);
  expect(prompt).not.toContain(' end');
  expect(ticket.comments.map((comment) => comment.body)).toEqual([long]);
});

test('rolls cost and tokens up from runs to steps and the whole', async () => {
  const { drive, id } = await run();
  const done = await drive.ended(id, 'completed');
  expect(done.steps.find((step) => step.key === 'ticket/api')).toMatchObject({
    costMicros: 1_000,
    tokens: { input: 10, output: 5, cacheRead: 2, cacheWrite: 1 },
  });
  expect(done).toMatchObject({ spentMicros: 6_000, costUnknown: false, tokens: { input: 60, output: 30 } });
});

test('keeps an unknown cost unknown', async () => {
  const script = answerScript({ 'ticket/api': { text: 'ok', costMicros: null } });
  const { drive, id } = await run({ script });
  const done = await drive.ended(id, 'completed');
  expect(done.steps.find((step) => step.key === 'ticket/api')?.costMicros).toBeNull();
  expect(done).toMatchObject({ spentMicros: 5_000, costUnknown: true });
});

test('estimates from the histories of the roles’ agents, and shows what nothing is known of as unknown', async () => {
  world = await World.create();
  await world.live();
  const drive = driverOf(world);
  const engineer = world.spaces.agents.find((agent) => agent.name === 'engineer');
  world.runs.histories_.set(String(engineer?.id), { costMicros: [100, 200, 300], durationMs: [10, 20, 30] });
  const [ticket] = proposalOf().tickets;
  const references = [{ kind: 'file' as const, value: 'src/api.ts' }];
  const tickets = [{ ...ticket!, references }, proposalOf().tickets[1]!];
  const { estimate, blastRadius, steps } = await drive.detail(
    (await drive.propose({ proposal: proposalOf({ tickets }) })).id,
  );
  const node = (key: string) => estimate.nodes.find((one) => one.key === key);
  expect(node('ticket/api')).toMatchObject({ sampleSize: 3, costMicros: { p25: 150, p75: 250 } });
  expect(node('ticket/test')).toMatchObject({ sampleSize: 0, costMicros: null, durationMs: null });
  expect(estimate.cost.atLeast).toBe(true);
  expect(blastRadius).toEqual({ tickets: { api: references, test: null }, declared: 1, unknown: 1 });
  expect(steps).toEqual([]);
});

test('a browser computes the estimate that the detail has, to the last digit, from the basis', async () => {
  world = await World.create();
  await world.live();
  const drive = driverOf(world);
  const idOf = (name: string) => String(world.spaces.agents.find((agent) => agent.name === name)?.id);
  const costs = [100, 250, 317, 1_000_003];
  world.runs.histories_.set(idOf('engineer'), { costMicros: costs, durationMs: [10, 20, 30, 45, 7] });
  const { id } = await drive.propose();
  const basis = await drive.estimateBasis(id);
  expect(basis).toEqual({
    revision: 1,
    histories: { lead: { costMicros: costs, durationMs: [10, 20, 30, 45, 7] } },
    roles: {
      lead: { agentId: idOf('engineer'), agentName: 'engineer', runs: 5 },
      tester: { agentId: null, agentName: null, runs: 0 },
    },
  });
  const { proposal, estimate: shown } = await drive.detail(id);
  expect(estimate(estimateNodes(proposal), basis.histories)).toEqual(shown);
  await drive.revise(id, 1, proposalOf());
  expect((await drive.estimateBasis(id)).revision).toBe(2);
  await drive.approve(id, 2);
  await drive.ended(id, 'completed');
  world.runs.histories_.set(idOf('tess'), { costMicros: [], durationMs: [5] });
  const after = await drive.estimateBasis(id);
  expect(after.roles).toEqual({
    lead: { agentId: idOf('engineer'), agentName: 'engineer', runs: 5 },
    tester: { agentId: idOf('tess'), agentName: 'tess', runs: 1 },
  });
  expect(estimate(estimateNodes(proposal), after.histories)).toEqual((await drive.detail(id)).estimate);
  await expect(drive.estimateBasis('orc_none')).rejects.toMatchObject({ code: 'not_found' });
});
