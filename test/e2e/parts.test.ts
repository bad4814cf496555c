import { afterAll, beforeAll, expect, test } from 'bun:test';
import { git } from '../../scripts/demo/demo-repository.ts';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  until,
  type World,
} from './world.ts';

const node = (key: string, ...needs: string[]) => {
  return { key, title: `Write ${key}`, description: `A file ${key}.md`, needs };
};
const PLAN = { goal: 'Three notes', nodes: [node('one'), node('two', 'one'), node('three', 'two')] };
const DELIVERED = { deliverable: 'The notes are there.', gaps: [] };

/** Each note is a file of its name, in a commit of its own. */
const note = (key: string) =>
  onWord(
    `# Write ${key}\n`,
    { tools: [toolCall('write_file', { path: `${key}.md`, content: `${key}\n` })] },
    { tools: [toolCall('git_commit', { message: `Write ${key}` })] },
    { text: `${key}.md is written.` },
  );

const SCRIPT = scriptOf(
  ...['one', 'two', 'three'].map(note),
  onWord('# Synthesis\n', { text: `\`\`\`json\n${JSON.stringify(DELIVERED)}\n\`\`\`` }),
  onWord('make a plan', { tools: [toolCall('submit_plan', PLAN)] }, { text: 'Planned.' }),
);

let world: World;
beforeAll(async () => {
  world = await createWorld(SCRIPT);
});
afterAll(() => world.end());

async function planned(name: string) {
  const { ws, agents } = await founded(world, name);
  const repositories = [{ name: 'app', path: world.stage.repository }];
  const space = await spaceWith(world, ws, agents.ceo!, { mode: 'plan', repositories });
  await said(world, ws, space, 'make a plan');
  const [plan] = (await world.ok('GET', `${ws}/plans`)).items as Json[];
  const at = `${ws}/orchestrations/${plan!.id}`;
  const stepIs = (key: string, state: string) =>
    until(
      () => world.ok('GET', at),
      ({ steps }) => steps.some((step: Json) => step.key === key && step.state === state),
      60_000,
    );
  return { ws, plan: plan!, at, stepIs };
}

test('a part is approved, the rest waits with nothing of it done, a killed server too, and a later approval goes on from there', async () => {
  const { ws, plan, at, stepIs } = await planned('parts');
  const refused = await world.api('POST', `${at}/approve`, { revision: 1, tickets: ['two'] });
  expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
    ...[400, 'invalid_request', { missing: ['one'] }],
  ]);
  expect((await world.ok('GET', `${ws}/inbox`)).count).toBe(1);
  expect(await world.ok('POST', `${at}/approve`, { revision: 1, tickets: ['one'] })).toMatchObject({
    ...{ status: 'approved', deferred: ['two', 'three'] },
  });
  const waiting = await stepIs('gate/two', 'waiting');
  expect(waiting).toMatchObject({ status: 'executing', deferred: ['two', 'three'] });
  const tickets = (await world.ok('GET', `${ws}/tickets?parentId=${waiting.parentTicketId}`)).items as Json[];
  expect(Object.fromEntries(tickets.map(({ title, status }) => [title, status]))).toEqual({
    ...{ 'Write one': 'done', 'Write two': 'backlog', 'Write three': 'backlog' },
  });
  const runs = (await world.ok('GET', `${ws}/runs`)).items as Json[];
  expect(runs.filter(({ trigger }) => trigger.kind === 'pipelineStep')).toHaveLength(1);
  expect((await world.ok('GET', `${ws}/inbox`)).count).toBe(0);
  await world.restart();
  await stepIs('gate/two', 'waiting');
  await world.ok('POST', `${at}/steps/gate/three/skip`);
  await world.ok('POST', `${at}/approve-deferred`, { tickets: ['two'] });
  const done = await until(
    () => world.ok('GET', at),
    ({ status, failure }) => status === 'completed' || failure !== null,
    60_000,
  );
  expect(done).toMatchObject({
    ...{ status: 'completed', deferred: [], leftOut: ['three'], deliverable: DELIVERED.deliverable },
    gaps: ['ticket/three (Write three): Left out by a person.'],
  });
  const files = git(world.stage.repository, 'ls-tree', '--name-only', done.branch).split('\n');
  expect(files).toEqual(expect.arrayContaining(['one.md', 'two.md']));
  expect(files).not.toContain('three.md');
  const approval = await world.ok('GET', `${ws}/approvals/${plan.approvalId}`);
  expect(approval.decision).toEqual({ answer: 'Only these sub-tickets: one' });
  const late = await world.api('POST', `${at}/approve-deferred`, { tickets: ['three'] });
  expect([late.status, late.body.code]).toEqual([409, 'wrong_status']);
}, 120_000);

test('the basis of the estimate is the history that the agent has made, and revisions are there by number', async () => {
  const { plan, at } = await planned('basis');
  const basis = await world.ok('GET', `${at}/estimate-basis`);
  expect(basis).toMatchObject({ revision: 1, roles: { agent: { agentName: 'ceo', runs: 1 } } });
  expect(basis.histories.agent.durationMs).toHaveLength(1);
  expect(await world.ok('GET', `${at}/revisions/1`)).toMatchObject({
    ...{ revision: 1, author: plan.proposedBy, origin: 'proposed', rolledBackTo: null },
  });
  const stale = await world.api('POST', `${at}/rollback`, { baseRevision: 2, to: 1 });
  expect([stale.status, stale.body.code, stale.body.errors]).toEqual([
    ...[409, 'stale_revision', { baseRevision: 2, revision: 1 }],
  ]);
}, 60_000);
