import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { runCctl } from '../../scripts/cli/testing/run-cctl.ts';
import { attend } from './attend.ts';
import { ownerToken } from './server-process.ts';
import {
  createWorld,
  founded,
  type Json,
  onWord,
  post,
  runOf,
  said,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  until,
  type World,
} from './world.ts';

/** A second that the specification names, with what two busy cores add. */
const SECOND_MS = 1_000;

let world: World;
let ws: string;
let workspaceId: string;
let ceo: string;
let attending: { leave(): void };

/** Effects are counted where they happen: each run of the command adds a line to a file outside the worktree's sight. */
const counting = (name: string) =>
  toolCall('run_command', { command: `echo ${name} >> count.txt && cat ~/.netrc` });

const SCRIPT = scriptOf(
  onWord('inner-ask', { tools: [counting('inner')] }, { text: 'The inner one is done.' }),
  onWord('outer-ask', { tools: [toolCall('run_subagent', { task: 'inner-ask' })] }, { text: 'Outer done.' }),
  onWord('deep', { tools: [toolCall('run_subagent', { task: 'outer-ask' })] }, { text: 'All done.' }),
  onWord('twice', { tools: [counting('first')] }, { tools: [counting('first')] }, { text: 'Done twice.' }),
  onWord(
    'count',
    { tools: [counting('once')] },
    { tools: [toolCall('read_file', { path: 'count.txt' })] },
    { text: 'Done.' },
  ),
  onWord('question', { tools: [toolCall('ask_user', { question: 'Which colour?' })] }, { text: 'Thanks.' }),
);

async function begin(): Promise<void> {
  world = await createWorld(SCRIPT);
  const workspace = await founded(world, 'approvals');
  ({ ws, id: workspaceId } = workspace);
  ceo = workspace.agents.ceo!;
  attending = await attend(world, ws);
}
async function end(): Promise<void> {
  attending.leave();
  await world.end();
}
beforeAll(begin);
afterAll(end);

const room = (more: Json = {}) =>
  spaceWith(world, ws, ceo, { repositories: [{ name: 'app', path: world.stage.repository }], ...more });
const decide = (id: string, body: Json) => world.api('POST', `${ws}/approvals/${id}/decision`, body);
const inboxOf = async (space: Json): Promise<Json[]> => {
  const { items } = await world.ok('GET', `${ws}/inbox`);
  return items.filter((item: Json) => item.spaceId === space.id);
};
const runNow = (id: string) => world.ok('GET', `${ws}/runs/${id}`);
const ended = (id: string, limitMs?: number) =>
  until(
    () => runNow(id),
    ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
    limitMs,
  );
const countOf = async (run: Json): Promise<number> => {
  const results = await toolResults(world, ws, run.id);
  const read = results.findLast(({ name }) => name === 'read_file');
  return read?.content.match(/once/g)?.length ?? 0;
};

describe('an action that needs a word', () => {
  test('decided by twenty people at once has one winner and one effect', async () => {
    const space = await room();
    const run = await said(world, ws, space, 'count it');
    expect(run.liveness).toBe('waiting');
    const [asked] = await inboxOf(space);
    expect(asked).toMatchObject({ kind: 'action', status: 'pending', runId: run.id });
    expect(asked?.arguments).toMatchObject({ tool: 'run_command', asked: ['secret_access'] });
    const bodies = Array.from({ length: 20 }, () => ({ decision: 'approved', digest: asked?.digest }));
    const statuses = (await Promise.all(bodies.map((body) => decide(asked!.id, body)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200).length).toBe(1);
    expect(statuses.filter((status) => status === 409).length).toBe(19);
    await ended(run.id);
    expect(await countOf(run)).toBe(1);
  });

  test('runs exactly once when the server is killed between the decision and its delivery', async () => {
    for (const point of ['approval.decide:after', 'tool.start:after', 'run.wake:before', 'run.wake:after']) {
      // A start handles the last events again, which passes the points of decisions that were made before.
      await end();
      await begin();
      const space = await room();
      const run = await said(world, ws, space, `count over ${point}`);
      const [asked] = await inboxOf(space);
      attending.leave();
      await world.restart({ CONTROL_CENTER_CRASH_AT: `${point}#1` });
      await decide(asked!.id, { decision: 'approved' }).catch(() => undefined);
      const died = await Promise.race([
        world.server.exited.then(() => true),
        Bun.sleep(5_000).then(() => false),
      ]);
      expect([point, died]).toEqual([point, true]);
      await world.restart();
      attending = await attend(world, ws);
      if (point === 'tool.start:after') {
        // Nobody can know whether that call took effect: it is reported, and its repetition is asked about anew.
        const [again] = await until(
          () => inboxOf(space),
          (items) => items.length === 1,
        );
        expect(again?.id).not.toBe(asked?.id);
        await decide(again!.id, { decision: 'refused' });
      }
      expect((await ended(run.id)).status).toBe('completed');
      expect([point, await countOf(run)]).toEqual([point, point === 'tool.start:after' ? 0 : 1]);
    }
  }, 120_000);

  test('refused is told to the agent with the reason, and nothing runs', async () => {
    const space = await room();
    const run = await said(world, ws, space, 'count no');
    const [asked] = await inboxOf(space);
    expect((await decide(asked!.id, { decision: 'refused', reason: 'leave that file alone' })).status).toBe(
      200,
    );
    await ended(run.id);
    const [refused] = await toolResults(world, ws, run.id);
    expect(refused).toMatchObject({ isError: true });
    expect(refused?.content).toContain('leave that file alone');
    expect(await countOf(run)).toBe(0);
  });

  test('allowed for the run is not asked again for the same arguments', async () => {
    const space = await room();
    const run = await said(world, ws, space, 'twice');
    const [asked] = await inboxOf(space);
    expect((await decide(asked!.id, { decision: 'approved', grant: 'run' })).status).toBe(200);
    expect((await ended(run.id)).status).toBe('completed');
    expect((await toolResults(world, ws, run.id)).length).toBe(2);
  });

  test('outlived by its run cannot be decided any more, and leaves the inbox', async () => {
    const space = await room();
    const run = await said(world, ws, space, 'count and stop');
    const [asked] = await inboxOf(space);
    await world.ok('POST', `${ws}/runs/${run.id}/cancel`);
    const late = await decide(asked!.id, { decision: 'approved' });
    expect([late.status, late.body.code]).toEqual([409, 'already_decided']);
    expect(await inboxOf(space)).toEqual([]);
    const { items } = await world.ok('GET', `${ws}/conversations/${space.mainConversationId}/messages`);
    const cards = items.filter((message: Json) => message.data.approvalId === asked!.id);
    expect(cards).toMatchObject([{ kind: 'approval', data: { status: 'superseded' } }]);
  });

  test('raised two sub-agents deep shows at the root; approve, refuse and stop each go on within a second', async () => {
    for (const decision of ['approved', 'refused', 'stop']) {
      const space = await room();
      const { message } = await post(world, ws, space, `deep ${decision}`);
      const [asked] = await until(
        () => inboxOf(space),
        (items) => items.length === 1,
      );
      const root = await runOf(world, ws, message.id);
      expect(asked).toMatchObject({ rootRunId: root.id, conversationId: space.mainConversationId });
      expect(asked?.runId).not.toBe(root.id);
      const startedAt = Date.now();
      if (decision === 'stop') await world.ok('POST', `${ws}/runs/${root.id}/cancel`);
      else expect((await decide(asked!.id, { decision })).status).toBe(200);
      const tree = async () => {
        const { items } = await world.ok('GET', `${ws}/runs?rootRunId=${root.id}`);
        return [await runNow(root.id), ...items] as Json[];
      };
      const over = await until(tree, (runs) => runs.every(({ endedAt }) => endedAt !== null));
      expect(Date.now() - startedAt).toBeLessThan(SECOND_MS * 2);
      expect(over.length).toBe(3);
      expect(over[0]?.status).toBe(decision === 'stop' ? 'cancelled' : 'completed');
      expect(await inboxOf(space)).toEqual([]);
    }
  });
});

describe('with nobody there', () => {
  test('an action is refused and left in the inbox; allowed later, the same call runs once', async () => {
    attending.leave();
    // The grace of a connection that was just lost.
    await world.restart();
    const space = await room();
    const run = await said(world, ws, space, 'count alone');
    expect(run.status).toBe('completed');
    const [refused] = await toolResults(world, ws, run.id);
    expect(refused).toMatchObject({ isError: true });
    const [left] = await inboxOf(space);
    expect(left).toMatchObject({ kind: 'action', status: 'unattended' });
    expect((await decide(left!.id, { decision: 'approved' })).status).toBe(200);
    const again = await said(world, ws, space, 'count alone again');
    expect(again.status).toBe('completed');
    expect(await countOf(again)).toBe(1);
    const third = await said(world, ws, space, 'count alone a third time');
    expect((await toolResults(world, ws, third.id))[0]).toMatchObject({ isError: true });
    attending = await attend(world, ws);
  });

  test('a headless command ends with what waits and a status that is not zero', async () => {
    const space = await room();
    const run = await said(world, ws, space, 'question for you');
    expect(run.liveness).toBe('waiting');
    const ran = await runCctl(['inbox', '--workspace', workspaceId, '--json'], {
      CONTROL_CENTER_TOKEN: ownerToken(world.stage.dataDir),
      CONTROL_CENTER_URL: world.server.url,
    });
    expect(ran.exitCode).toBe(0);
    expect(JSON.stringify(JSON.parse(ran.stdout))).toContain('Which colour?');
    await world.ok('POST', `${ws}/runs/${run.id}/cancel`);
  });
});
