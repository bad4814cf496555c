import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  post,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  until,
  type World,
} from './world.ts';

/** A turn that makes a ticket for an agent. */
const assigns = (...tickets: [title: string, assignee: string, description: string][]) => ({
  tools: tickets.map(([title, assignee, description]) =>
    toolCall('create_ticket', { title, assignee, description }),
  ),
});
const toldOf = (title: string, text: string) => onWord(`"${title}", which you delegated`, { text });

const SCRIPT = scriptOf(
  toldOf('Be slow', 'I was told.'),
  toldOf('Paint the door', 'It is red now.'),
  onWord('PAINT-TASK', { text: 'I painted it red.' }),
  onWord('have it painted', assigns(['Paint the door', 'engineer', 'PAINT-TASK']), { text: 'Delegated.' }),

  toldOf('Build a house', 'The house stands.'),
  toldOf('Lay bricks', 'The walls stand.'),
  onWord(
    'BRICK-TASK',
    assigns(['Back to you', 'engineer', 'x'], ['And back', 'ceo', 'x']),
    assigns(['Mix mortar', 'architect', 'MORTAR-TASK']),
    { text: 'Bricks are laid, mortar is coming.' },
  ),
  onWord('"Mix mortar", which you delegated', { text: 'Bricks hold.' }),
  onWord('MORTAR-TASK', assigns(['Fetch sand', 'ceo', 'x']), { text: 'Mortar is mixed.' }),
  onWord('HOUSE-TASK', assigns(['Lay bricks', 'qa', 'BRICK-TASK']), { text: 'I wait for the bricks.' }),
  onWord('have a house built', assigns(['Build a house', 'engineer', 'HOUSE-TASK']), { text: 'Begun.' }),

  onWord('PART-ONE', { text: 'One.' }),
  onWord('PART-TWO', { text: 'Two.' }),
  onWord(
    'do both parts',
    assigns(['Part one', 'engineer', 'PART-ONE'], ['Part two', 'qa', 'PART-TWO']),
    { text: 'Both begun.' },
    { text: 'Noted.' },
    { text: 'Noted too.' },
  ),

  onWord('DOOMED-TASK', { fault: { kind: 'status', status: 400, message: 'no such luck', times: 100 } }),
  onWord(
    'try your luck',
    assigns(['Be lucky', 'engineer', 'DOOMED-TASK']),
    { text: 'Trying.' },
    { text: 'Pity.' },
  ),

  onWord('SLOW-TASK', { text: 'Slowly done.', delayMs: 60_000 }),
  onWord('QUICK-TASK', { text: 'Quickly done.' }),
  onWord('take your time', assigns(['Be slow', 'engineer', 'SLOW-TASK']), { text: 'Let it be slow.' }),

  onWord(
    'stay at work',
    assigns(['Be quick', 'engineer', 'QUICK-TASK']),
    { text: 'Waiting a while.', tools: [toolCall('list_tickets', {})], delayMs: 3_000 },
    { text: 'Heard it at work.' },
  ),
  onWord('be stopped', assigns(['Outlive me', 'engineer', 'OUTLIVE-TASK']), {
    text: 'never said',
    delayMs: 60_000,
  }),
  onWord('OUTLIVE-TASK', { text: 'I outlived it.', delayMs: 1_500 }),

  onWord(
    'WRITE-IT',
    { tools: [toolCall('write_file', { path: 'new.txt', content: 'hello' })] },
    { text: 'Wrote it, or not.' },
  ),
  onWord('have it written', assigns(['Write it', 'engineer', 'WRITE-IT']), { text: 'Delegated.' }),
);

setDefaultTimeout(60_000);

let world: World;
let ws: string;
let agents: Record<string, string>;
beforeAll(async () => {
  world = await createWorld(SCRIPT);
  ({ ws, agents } = await founded(world, 'Delegation'));
});
afterAll(() => world.end());

const runs = async (of: (run: Json) => boolean): Promise<Json[]> =>
  (await world.ok('GET', `${ws}/runs?limit=500`)).items.filter(of);
const tickets = async (space: Json): Promise<Json[]> =>
  (await world.ok('GET', `${ws}/tickets?spaceId=${space.id}`)).items;
const ticket = (id: string) => world.ok('GET', `${ws}/tickets/${id}`);
const said = async (conversationId: string): Promise<string[]> =>
  (await world.ok('GET', `${ws}/conversations/${conversationId}/messages`)).items.map(
    ({ body }: Json) => body,
  );
const room = () => spaceWith(world, ws, agents.ceo as string);

async function ticketOf(
  space: Json,
  title: string,
  isWanted: (found: Json) => boolean = () => true,
): Promise<Json> {
  const find = async () => {
    const found = (await tickets(space)).find((one) => one.title === title);
    return found ? ticket(found.id) : null;
  };
  return (await until(find, (found) => found !== null && isWanted(found))) as Json;
}

const ended = (title: string, space: Json, status: string) =>
  ticketOf(
    space,
    title,
    (found) => found.status === status && found.delegations.every((one: Json) => one.endedAt),
  );

/** The agent's run that was woken by the ticket's end, once it has ended. */
async function childRun(ticketId: string): Promise<Json> {
  const mine = () => runs(({ trigger }) => trigger.kind === 'childCompleted' && trigger.id === ticketId);
  const found = await until(mine, ([run]) => run !== undefined && run.endedAt !== null);
  expect(found.length).toBe(1);
  return found[0] as Json;
}

test('a colleague does a ticket in its own thread, and whoever delegated is woken with the result', async () => {
  const space = await room();
  await post(world, ws, space, 'have it painted');
  const { id, comments, delegations, provenance } = await ended('Paint the door', space, 'done');
  expect(comments).toMatchObject([{ author: `agent:${agents.engineer}`, body: 'I painted it red.' }]);
  const [delegation] = delegations;
  const [work] = await runs(({ trigger }) => trigger.kind === 'assignment' && trigger.id === id);
  expect(work).toMatchObject({
    ...{ agentId: agents.engineer, spaceId: space.id, conversationId: delegation.conversationId },
    ...{ key: `assignment:${id}/1`, status: 'completed', causeRunId: delegation.runId },
  });
  expect(provenance).toEqual({ kind: 'delegation', id: delegation.runId });
  const woken = await childRun(id);
  expect(woken).toMatchObject({
    ...{ agentId: agents.ceo, conversationId: space.mainConversationId, status: 'completed' },
    ...{ key: `childCompleted:${id}/1`, output: { text: 'It is red now.' } },
  });
  expect(await said(space.mainConversationId)).toEqual(['have it painted', 'Delegated.', 'It is red now.']);
  expect(await said(delegation.conversationId)).toEqual(['I painted it red.']);
});

test('a ticket of which parts were delegated ends with the last part, and no part goes back up the chain', async () => {
  const space = await room();
  await post(world, ws, space, 'have a house built');
  const bricks = await ended('Lay bricks', space, 'done');
  const house = await ended('Build a house', space, 'done');
  expect(bricks.comments.map(({ body }: Json) => body)).toEqual(['Bricks hold.']);
  expect(house.comments.map(({ body }: Json) => body)).toEqual(['The walls stand.']);
  expect((await tickets(space)).map(({ title }) => title)).toEqual([
    'Build a house',
    'Lay bricks',
    'Mix mortar',
  ]);
  const [bricklayer] = await runs(({ key }) => key === `assignment:${bricks.id}/1`);
  const refused = (await toolResults(world, ws, bricklayer?.id)).filter(({ isError }) => isError);
  expect(refused.length).toBe(2);
  for (const { content } of refused) expect(content).toContain('(ceo → engineer → qa)');
  // Mortar is the third delegation on the way, so that whoever mixes it does the rest itself.
  const mortar = await ended('Mix mortar', space, 'done');
  expect(mortar.delegations[0].depth).toBe(3);
  expect(await childRun(house.id)).toMatchObject({
    agentId: agents.ceo,
    output: { text: 'The house stands.' },
  });
});

test('whoever delegated several tickets is told of each end once', async () => {
  const space = await room();
  await post(world, ws, space, 'do both parts');
  const parts = await Promise.all(['Part one', 'Part two'].map((title) => ended(title, space, 'done')));
  const ids = parts.map(({ id }) => `childCompleted:${id}/1`);
  const told = async () => {
    const own = (await runs(({ key }) => ids.includes(key))).map(({ key }) => key);
    const { items } = await world.ok('GET', `${ws}/events?limit=1000`);
    const steered = items
      .filter(({ type }: Json) => type === 'run.steered')
      .map(({ data }: Json) => data.messageId);
    return [...own, ...steered.filter((id: string) => ids.includes(id))].sort();
  };
  expect(await until(told, (keys) => keys.length >= 2)).toEqual(ids.toSorted());
  await until(
    () => runs(({ spaceId, endedAt }) => spaceId === space.id && endedAt === null),
    (left) => left.length === 0,
  );
  expect(await told()).toEqual(ids.toSorted());
});

test('a run that fails fails its ticket with the reason, and whoever delegated is told', async () => {
  const space = await room();
  await post(world, ws, space, 'try your luck');
  const { id, comments } = await ended('Be lucky', space, 'failed');
  expect(comments).toMatchObject([{ author: 'service:runs' }]);
  expect(comments[0].body).toContain('**Failed**');
  expect(comments[0].body).toContain('no such luck');
  const { id: runId } = await childRun(id);
  const { items } = await world.ok('GET', `${ws}/runs/${runId}/entries`);
  expect(JSON.stringify(items[0])).toContain('which you delegated to engineer, is failed');
});

test('a person who stops the run, or closes the ticket, ends both, and whoever delegated is told', async () => {
  const [stopped, closed] = [await room(), await room()];
  for (const space of [stopped, closed]) await post(world, ws, space, 'take your time');
  const atWork = (space: Json) => ticketOf(space, 'Be slow', ({ status }) => status === 'inProgress');
  const [first, second] = [await atWork(stopped), await atWork(closed)];
  const [work] = await runs(({ key }) => key === `assignment:${first.id}/1`);
  await world.ok('POST', `${ws}/runs/${work?.id}/cancel`);
  const { comments } = await ended('Be slow', stopped, 'cancelled');
  expect(comments[0].body).toContain('**Cancelled.**');
  await childRun(first.id);
  await world.ok('PATCH', `${ws}/tickets/${second.id}`, { status: 'cancelled' });
  await until(
    () => runs(({ key }) => key === `assignment:${second.id}/1`),
    ([run]) => run?.status === 'cancelled',
  );
  expect((await childRun(second.id)).output.text).toBe('I was told.');
});

test('a ticket that a person gives to somebody else goes on with that one alone', async () => {
  const space = await room();
  const made = await world.ok('POST', `${ws}/tickets`, {
    ...{
      title: 'Change hands',
      description: 'SLOW-TASK',
      spaceId: space.id,
      assignee: `agent:${agents.engineer}`,
    },
  });
  await ticketOf(space, 'Change hands', ({ status }) => status === 'inProgress');
  await world.ok('PATCH', `${ws}/tickets/${made.id}`, {
    description: 'QUICK-TASK',
    assignee: `agent:${agents.qa}`,
  });
  const { comments } = await ended('Change hands', space, 'done');
  expect(comments).toMatchObject([{ author: `agent:${agents.qa}`, body: 'Quickly done.' }]);
  const both = await runs(({ trigger }) => trigger.id === made.id);
  expect(both.map(({ key, status, agentName }) => [key, status, agentName])).toEqual([
    [`assignment:${made.id}/1`, 'cancelled', 'engineer'],
    [`assignment:${made.id}/2`, 'completed', 'qa'],
  ]);
});

test('an agent at work where it delegated hears of the end there, and has no run of its own for it', async () => {
  const space = await room();
  await post(world, ws, space, 'stay at work');
  const { id } = await ended('Be quick', space, 'done');
  const [run] = await until(
    () => runs(({ spaceId, agentId }) => spaceId === space.id && agentId === agents.ceo),
    ([first]) => first?.endedAt != null,
  );
  expect(run?.output.text).toBe('Heard it at work.');
  const { items } = await world.ok('GET', `${ws}/runs/${run?.id}/entries?limit=100`);
  const heard = items.map(({ entry }: Json) => entry).filter(({ cause }: Json) => cause === 'message');
  expect(heard.length).toBe(1);
  expect(heard[0].text).toContain('"Be quick", which you delegated to engineer, is done');
  expect(await runs(({ trigger }) => trigger.kind === 'childCompleted' && trigger.id === id)).toEqual([]);
});

test('a cancelled run leaves its tickets alone, and people are told of their end in its place', async () => {
  const space = await room();
  await post(world, ws, space, 'be stopped');
  const { id } = await ticketOf(space, 'Outlive me', ({ status }) => status === 'inProgress');
  const [run] = await runs(({ spaceId, agentId }) => spaceId === space.id && agentId === agents.ceo);
  await world.ok('POST', `${ws}/runs/${run?.id}/cancel`);
  await ended('Outlive me', space, 'done');
  const notices = await until(
    () => said(space.mainConversationId),
    (texts) => texts.some((text) => text.includes('nobody goes on with it')),
  );
  expect(notices.at(-1)).toContain('> I outlived it.');
  expect(await runs(({ trigger }) => trigger.kind === 'childCompleted' && trigger.id === id)).toEqual([]);
});

test('what is denied to an agent it does not have done by delegating it', async () => {
  const repositories = [{ name: 'invoices', path: world.stage.repository }];
  const space = await spaceWith(world, ws, agents.ceo as string, { repositories, autonomy: 'actFreely' });
  const rule = { scope: 'agent', scopeId: agents.ceo, effect: 'file_write', action: 'deny' };
  await world.ok('PUT', `${ws}/guardrails/rules`, rule);
  await post(world, ws, space, 'have it written');
  const delegated = await ended('Write it', space, 'done');
  const byPerson = { title: 'Write it too', description: 'WRITE-IT', spaceId: space.id };
  await world.ok('POST', `${ws}/tickets`, { ...byPerson, assignee: `agent:${agents.engineer}` });
  const asked = await ended('Write it too', space, 'done');
  const resultOf = async (id: string) => {
    const [work] = await runs(({ key }) => key === `assignment:${id}/1`);
    return (await toolResults(world, ws, work?.id))[0];
  };
  expect(await resultOf(delegated.id)).toMatchObject({
    isError: true,
    content: expect.stringContaining('file_write is denied'),
  });
  expect(await resultOf(asked.id)).toMatchObject({
    isError: false,
    content: expect.stringContaining('new.txt'),
  });
});

test('a ticket of no space is done in a run of no space', async () => {
  const made = await world.ok('POST', `${ws}/tickets`, {
    ...{ title: 'Anywhere', description: 'QUICK-TASK', assignee: `agent:${agents.qa}` },
  });
  const done = await until(
    () => ticket(made.id),
    ({ status }) => status === 'done',
  );
  expect(done.comments).toMatchObject([{ body: 'Quickly done.' }]);
  expect(await runs(({ trigger }) => trigger.id === made.id)).toMatchObject([{ conversationId: null }]);
});
