import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { capabilityProfile, MODES, type Mode } from '../../core-wasm/core.ts';
import { git } from '../../scripts/demo/demo-repository.ts';
import { EVERY_TOOL } from '../../services/runs/tools/every-tool.ts';
import { systemTextOf } from '../model/messages-request.ts';
import {
  call,
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

const BREAK_OUT = [
  toolCall('run_command', { command: 'echo broken > README.md; git commit -qam broken' }),
  toolCall('write_file', { path: 'README.md', content: 'broken' }),
  toolCall('edit_file', { path: 'README.md', oldText: '#', newText: 'broken' }),
  toolCall('delete_file', { path: 'README.md' }),
  toolCall('git_commit', { message: 'broken' }),
];
const SERVICE_TOKEN = 'a-token-of-the-services-of-this-test';
const PLAN = { goal: 'Mend it', nodes: [{ key: 'a', title: 'A', description: 'Do a', needs: [] }] };

let world: World;
let ws: string;
let ceo: string;
let head: string;

beforeAll(async () => {
  world = await createWorld(
    scriptOf(
      onWord('inner-task', { tools: BREAK_OUT }, { text: 'The inner one is done.' }),
      onWord(
        'outer-task',
        { tools: [...BREAK_OUT, toolCall('run_subagent', { task: 'inner-task' })] },
        { text: 'The outer one is done.' },
      ),
      onWord(
        'delegate',
        { tools: [toolCall('run_subagent', { task: 'outer-task' })] },
        { text: 'Delegated.' },
      ),
      onWord('break out', { tools: BREAK_OUT }, { text: 'I could not.' }),
      onWord('which tools', { text: 'These.' }),
      onWord(
        'ask, then write',
        { tools: [toolCall('ask_user', { question: 'May I?' })] },
        { tools: [toolCall('write_file', { path: 'late.txt', content: 'late' })] },
        { text: 'Tried.' },
      ),
      onWord(
        'leave again',
        { tools: [toolCall('exit_plan_mode', { summary: 'Now?' })] },
        { text: 'Asked again.' },
      ),
      onWord(
        'leave and ask',
        { tools: [toolCall('exit_plan_mode', { summary: 'Let me work' })] },
        { tools: [toolCall('ask_user', { question: 'Well?' })] },
        { text: 'Never mind.' },
      ),
      onWord(
        'leave',
        { tools: [toolCall('exit_plan_mode', { summary: 'Let me work' })] },
        { text: 'Asked.' },
      ),
      onWord(
        'changes were asked for',
        (request) => {
          const planId = /\b(orc_[a-z0-9]+)\b/.exec(JSON.stringify(request.messages))?.[1];
          return { tools: [toolCall('submit_plan', { ...PLAN, goal: 'Mend it better', planId })] };
        },
        { text: 'Revised.' },
      ),
      onWord('make a plan', { tools: [toolCall('submit_plan', PLAN)] }, { text: 'Planned.' }),
    ),
    { CONTROL_CENTER_SERVICE_TOKEN: SERVICE_TOKEN },
  );
  const workspace = await founded(world, 'modes');
  ws = workspace.ws;
  ceo = workspace.agents.ceo!;
  head = git(world.stage.repository, 'rev-parse', 'HEAD');
});
afterAll(() => world.end());

/** A room with the repository; one in review mode is Control Center's to open. */
async function room(mode: Mode): Promise<Json> {
  const repositories = [{ name: 'app', path: world.stage.repository }];
  if (mode !== 'review') return spaceWith(world, ws, ceo, { mode, repositories });
  const body = { name: 'review', mode, agents: [ceo], repositories };
  const headers = { authorization: `Bearer ${SERVICE_TOKEN}`, 'x-control-center-actor': 'service:test' };
  return (await call(world.server.url, 'POST', `${ws}/spaces`, body, headers)).body;
}

const setMode = (space: Json, mode: Mode) => world.ok('PATCH', `${ws}/spaces/${space.id}`, { mode });
const modeOf = async (space: Json) => (await world.ok('GET', `${ws}/spaces/${space.id}`)).mode as Mode;
const decide = (id: string, body: Json) => world.api('POST', `${ws}/approvals/${id}/decision`, body);
const waitingOf = async (space: Json): Promise<Json[]> => {
  const { items } = await world.ok('GET', `${ws}/inbox`);
  return items.filter((item: Json) => item.spaceId === space.id);
};

/** The last request for a conversation that holds the word. */
function requestWith(word: string) {
  const found = world.model.requests.findLast(({ body }) => JSON.stringify(body.messages).includes(word));
  if (!found) throw new Error(`no request holds ${word}`);
  return found;
}

function untouched(): void {
  expect(git(world.stage.repository, 'status', '--porcelain')).toBe('');
  expect(git(world.stage.repository, 'rev-parse', 'HEAD')).toBe(head);
}

describe('a read-only agent', () => {
  for (const mode of ['plan', 'review', 'orchestrate'] as const) {
    test(`in ${mode} mode is shown no tool that changes, and an invented call changes nothing`, async () => {
      const run = await said(world, ws, await room(mode), `break out of ${mode}`);
      const offered = (requestWith(`break out of ${mode}`).body.tools ?? []).map(({ name }) => name);
      for (const { name } of BREAK_OUT) expect(offered).not.toContain(name);
      const results = await toolResults(world, ws, run.id);
      expect(results.slice(0, BREAK_OUT.length).map(({ isError }) => isError)).toEqual(
        BREAK_OUT.map(() => true),
      );
      untouched();
    });
  }

  test('hands its sub-agents no more than it has, two deep', async () => {
    const { id } = await said(world, ws, await room('plan'), 'delegate it');
    const run = await until(
      () => world.ok('GET', `${ws}/runs/${id}`),
      ({ status }) => status === 'completed',
    );
    const { items } = await world.ok('GET', `${ws}/runs?rootRunId=${run.id}`);
    expect(items.length).toBe(2);
    for (const child of items as Json[]) {
      expect(child.mode).toBe('plan');
      expect(child.tools.filter((name: string) => !run.tools.includes(name))).toEqual([]);
      const results = await toolResults(world, ws, child.id);
      expect(results.slice(0, BREAK_OUT.length).map(({ isError }) => isError)).toEqual(
        BREAK_OUT.map(() => true),
      );
    }
    for (const word of ['outer-task', 'inner-task']) {
      const offered = (requestWith(word).body.tools ?? []).map(({ name }) => name);
      for (const { name } of BREAK_OUT) expect(offered).not.toContain(name);
    }
    untouched();
  });
});

describe('the request that the model receives', () => {
  for (const mode of MODES) {
    test(`in ${mode} mode lists exactly the surface, and the prompt names no tool outside it`, async () => {
      const word = `which tools in ${mode}`;
      const run = await said(world, ws, await room(mode), word);
      expect(run.mode).toBe(mode);
      const { body } = requestWith(word);
      const offered = (body.tools ?? []).map(({ name }) => name);
      expect(offered).toEqual(run.tools);
      expect(offered.length).toBeGreaterThan(5);
      const { pinned, exitVerb } = capabilityProfile(mode);
      for (const name of [...pinned, ...(exitVerb ? [exitVerb] : [])]) expect(offered).toContain(name);
      const prompt = systemTextOf(body);
      for (const name of offered) expect(prompt).toContain(name);
      const outside = EVERY_TOOL.map(({ name }) => name).filter((name) => !offered.includes(name));
      expect(outside.filter((name) => new RegExp(`\\b${name}\\b`).test(prompt))).toEqual([]);
    });
  }
});

describe('the mode of a space', () => {
  test('that changes while a run is going holds for its next call, and the next turn has the new surface', async () => {
    const space = await room('chat');
    const run = await said(world, ws, space, 'ask, then write');
    expect(run.liveness).toBe('waiting');
    await setMode(space, 'plan');
    const [question] = await waitingOf(space);
    expect((await decide(question!.id, { decision: 'approved', answer: 'yes' })).status).toBe(200);
    const ended = await until(
      () => world.ok('GET', `${ws}/runs/${run.id}`),
      ({ status }) => status === 'completed',
    );
    expect(ended.mode).toBe('chat');
    const [, written] = await toolResults(world, ws, run.id);
    expect(written).toMatchObject({ name: 'write_file', isError: true });
    expect(written?.content).toContain('Plan mode');
    const next = await said(world, ws, space, 'which tools now');
    expect(next).toMatchObject({ mode: 'plan' });
    expect(next.tools).not.toContain('write_file');
  });

  test('is that of its threads', async () => {
    const space = await room('plan');
    const { message } = await post(world, ws, space, 'which tools in the room');
    await runOf(world, ws, message.id);
    const thread = await world.ok('POST', `${ws}/spaces/${space.id}/conversations`, {
      title: 'thread',
      parentMessageId: message.id,
    });
    const posted = await world.ok('POST', `${ws}/conversations/${thread.id}/messages`, {
      body: 'which tools here',
    });
    expect((await runOf(world, ws, posted.message.id)).mode).toBe('plan');
  });
});

describe('leaving plan mode', () => {
  test('takes a later call after the gate is granted; one gate over a restart; the space is read-only until then', async () => {
    const space = await room('plan');
    await said(world, ws, space, 'leave');
    expect(await waitingOf(space)).toMatchObject([{ kind: 'plan_exit', status: 'pending' }]);
    await world.restart();
    await said(world, ws, space, 'leave again');
    const gates = await waitingOf(space);
    expect(gates.length).toBe(1);
    expect(await modeOf(space)).toBe('plan');
    expect((await decide(gates[0]!.id, { decision: 'approved' })).status).toBe(200);
    await until(
      () => modeOf(space),
      (mode) => mode === 'chat',
    ).catch(() => undefined);
    await said(world, ws, space, 'leave again, once more');
    expect(await modeOf(space)).toBe('chat');
  });

  test('is not granted by stopping the run that asked', async () => {
    const space = await room('plan');
    const run = await said(world, ws, space, 'leave and ask');
    expect(run.liveness).toBe('waiting');
    const gate = (await waitingOf(space)).find(({ kind }) => kind === 'plan_exit')!;
    await world.ok('POST', `${ws}/runs/${run.id}/cancel`);
    expect(await modeOf(space)).toBe('plan');
    expect(await waitingOf(space)).toEqual([]);
    expect((await decide(gate.id, { decision: 'approved' })).status).toBe(409);
    expect(await modeOf(space)).toBe('plan');
  });
});

test('changes that are asked of a plan go back to the agent, and the decided row leaves the inbox', async () => {
  const space = await room('plan');
  await said(world, ws, space, 'make a plan');
  const [first] = await waitingOf(space);
  expect(first).toMatchObject({ kind: 'orchestration', status: 'pending' });
  const asked = { decision: 'changesRequested', reason: 'changes were asked for: be bolder' };
  expect((await decide(first!.id, asked)).status).toBe(200);
  expect((await waitingOf(space)).map(({ id }) => id)).not.toContain(first!.id);
  const [second] = await until(
    () => waitingOf(space),
    (items) => items.length === 1 && items[0]?.id !== first!.id,
  );
  const { orchestrationId, revision } = second!.arguments;
  expect(revision).toBe(2);
  const plan = await world.ok('GET', `${ws}/plans/${orchestrationId}`);
  expect(plan).toMatchObject({ goal: 'Mend it better', revision: 2, status: 'proposed' });
});

test('nothing of all this has left a worktree of a read-only room changed', () => {
  const worktrees = readdirSync(world.stage.dataDir, { recursive: true, encoding: 'utf8' });
  expect(worktrees.filter((path) => path.endsWith('/late.txt'))).toEqual([]);
  untouched();
});
