import { afterEach, describe, expect, test } from 'bun:test';
import type { ScriptedTurn } from '../../test/model/script.ts';
import type { Run } from './runs/schema.ts';
import { type Bench, createBench, turns, until, WORKSPACE } from './test-bench.ts';

let bench: Bench;
afterEach(() => bench.close());

describe('a run in', () => {
  test('chat mode is held by the mode that its space has at the moment of the call', async () => {
    bench = await createBench(
      turns(
        { tools: [{ name: 'list_agents', input: {} }] },
        { tools: [{ name: 'write_file', input: { path: 'new.txt', content: 'x' } }] },
        { text: 'It was refused.' },
      ),
    );
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
    const port = bench.spaces.port();
    const spaces = {
      ...port,
      agents: async (workspaceId: string) => {
        if (bench.model.requests.length > 0) conversation.space.mode = 'plan';
        return port.agents(workspaceId);
      },
    };
    const process = await bench.process({ deps: { spaces } });
    const { id } = await process.createRun({ agentId, conversationId: conversation.id });
    expect(await process.settled(id)).toMatchObject({ status: 'completed', mode: 'chat' });
    const ref = { workspaceId: WORKSPACE, conversationId: conversation.id, repository: 'app' };
    expect((await process.runner.gitStatus(ref)).dirty).toEqual([]);
    const finished = (await bench.events('run.tool')).filter(({ data }) => data.state === 'finished');
    expect(finished.at(-1)?.data).toMatchObject({ name: 'write_file', isError: true });
  });
});

describe('a message', () => {
  test('starts one run for each agent it wakes, which answers in the conversation', async () => {
    bench = await createBench(turns({ text: 'Hello Ada.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
    const process = await bench.process();
    await bench.spaces.say(conversation.id, 'Earlier talk.', []);
    const messageId = await bench.spaces.say(conversation.id, '@engineer hello', [agentId]);
    const [ended] = await until(
      () => bench.events('run.ended'),
      (events) => events.length > 0,
    );
    expect(ended?.data).toMatchObject({ key: `message:${messageId}/${agentId}`, status: 'completed' });
    const { items } = await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`);
    expect(items.map(({ trigger, costMicros }) => [trigger.id, costMicros === null])).toEqual([
      [messageId, false],
    ]);
    const last = bench.spaces.messages.at(-1);
    expect(last).toMatchObject({
      author: `agent:${agentId}`,
      body: 'Hello Ada.',
      data: { runId: items[0]?.id },
    });
    const asked = JSON.stringify(bench.model.requests[0]?.body.messages);
    expect(asked).toContain('Earlier talk.');
    expect(asked).toContain('@engineer hello');
    expect(JSON.stringify(bench.model.requests[0]?.body.system)).toContain('Keep it short.');
  });
});

describe('a message to an agent whose model is not in the catalogue', () => {
  test('ends in a failed run that names the model', async () => {
    bench = await createBench(turns({ text: 'Done.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer', { modelId: 'no-such-model' });
    const conversation = bench.spaces.addConversation('chat');
    await bench.process();
    await bench.spaces.say(conversation.id, '@engineer hello', [agentId]);
    const [ended] = await until(
      () => bench.events('run.ended'),
      (events) => events.length > 0,
    );
    expect(ended?.data).toMatchObject({ status: 'failed', errorFamily: 'invalidRequest' });
    expect(String(ended?.data.summary)).toContain('no-such-model');
  });
});

describe('creating a run', () => {
  test('with the same key at the same moment makes one', async () => {
    bench = await createBench(turns({ text: 'Done.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const conversation = bench.spaces.addConversation('chat');
    const process = await bench.process();
    const input = { agentId, conversationId: conversation.id, key: 'k' };
    const made = await Promise.all([1, 2, 3, 4].map(() => process.createRun(input)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    await process.settled(made[0]?.id as string);
    expect((await bench.events('run.created')).length).toBe(1);
    expect(bench.model.requests.length).toBe(1);
  });

  test('for two triggers of one conversation runs one after the other', async () => {
    bench = await createBench(turns({ text: 'Done.', delayMs: 50 }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
    const process = await bench.process();
    const made = await Promise.all(
      ['a', 'b'].map((key) => process.createRun({ agentId, conversationId: conversation.id, key })),
    );
    await Promise.all(made.map(({ id }) => process.settled(id)));
    const order = (await bench.events()).map(({ type }) => type).filter((type) => /started|ended/.test(type));
    expect(order).toEqual(['run.started', 'run.ended', 'run.started', 'run.ended']);
  });

  test('finds nothing of another workspace, and is not for agents', async () => {
    bench = await createBench(turns({ text: 'Done.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process();
    await process.databases.create('ws_other');
    const run = await process.createRun({ agentId });
    const statuses = await Promise.all([
      process.call('GET', `ws_other/runs/${run.id}`),
      process.call('POST', `ws_other/runs/${run.id}/cancel`),
      process.call('GET', 'ws_nowhere/runs'),
      process.call('POST', 'ws_other/runs', { agentId, trigger: { kind: 'assignment' }, prompt: 'x' }),
      process.call('POST', `${WORKSPACE}/runs/${run.id}/cancel`, undefined, 'agent:agt_x'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 403]);
    expect(await process.settled(run.id)).toMatchObject({ status: 'completed', mode: 'chat', spaceId: null });
  });
});

describe('a run that works', () => {
  test('writes, commits with agent and person, and integrates', async () => {
    bench = await createBench(
      turns(
        { tools: [{ name: 'write_file', input: { path: 'src/a.ts', content: 'export {};\n' } }] },
        {
          tools: [
            { name: 'write_file', input: { path: '../../outside', content: 'x' } },
            { name: 'edit_file', input: { path: 3 } },
          ],
        },
        { tools: [{ name: 'git_commit', input: { message: 'Add a' } }] },
        { tools: [{ name: 'run_command', input: { command: 'cat src/a.ts; printenv | sort' } }] },
        { text: 'Done.' },
      ),
    );
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
    const process = await bench.process({ deps: { secrets: ['test-key'] } });
    const { id } = await process.createRun({
      agentId,
      conversationId: conversation.id,
      requestedBy: 'person:mem_ada',
    });
    const run = await process.settled(id);
    expect(run).toMatchObject({ status: 'completed', branch: `control-center/${conversation.id}` });
    const log = bench.repository.git(
      'log',
      '-1',
      '--format=%an <%ae>%n%B',
      `control-center/${conversation.id}`,
    );
    expect(log).toContain('engineer <engineer@agents.control-center.invalid>');
    expect(log).toContain('Co-authored-by: mem_ada');
    const results = (await bench.events('run.tool')).filter(({ data }) => data.state === 'finished');
    expect(results.map(({ data }) => data.isError)).toEqual([false, true, true, false, false]);
    expect(String(results[2]?.data.summary)).toContain('path');
    expect(JSON.stringify(await bench.events())).not.toContain('test-key');
    const integration = await process.json<{ merged: string[]; stat: string; diff: string }>(
      'POST',
      `${WORKSPACE}/integrations`,
      { spaceId: conversation.space.id, branch: 'control-center/whole', merge: [run.branch], key: 'i' },
    );
    expect(integration.merged).toEqual([run.branch as string]);
    expect(integration.diff).toContain('+export {};');
    expect(integration.stat).toContain('src/a.ts');
    const branches = bench.repository.git('branch', '--list', 'control-center/compare-*');
    expect(branches).toBe('');
  });

  for (const [where, turn, seen] of [
    ['a command', { tools: [{ name: 'run_command', input: { command: 'sleep 60' } }] }, 'run.tool'],
    ['a stream', { text: 'a long answer '.repeat(2_000), chunkDelayMs: 50 }, 'run.started'],
  ] as const) {
    test(`is cancelled within two seconds in the middle of ${where}`, async () => {
      bench = await createBench(turns(turn as ScriptedTurn));
      const { id: agentId } = bench.spaces.addAgent('engineer');
      const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
      const process = await bench.process();
      const { id } = await process.createRun({ agentId, conversationId: conversation.id });
      await until(
        () => bench.events(seen),
        (events) => events.length === 1 && bench.model.requests.length === 1,
      );
      const startedAt = performance.now();
      const cancelled = await process.json<Run>('POST', `${WORKSPACE}/runs/${id}/cancel`);
      expect(performance.now() - startedAt).toBeLessThan(2_000);
      expect(cancelled).toMatchObject({ status: 'cancelled', errorFamily: 'cancelled' });
      expect((await bench.events('run.ended')).length).toBe(1);
      expect((await process.call('POST', `${WORKSPACE}/runs/${id}/cancel`)).status).toBe(200);
    });
  }

  test('can be paused between two calls and resumed', async () => {
    bench = await createBench(
      turns({ tools: [{ name: 'list_agents', input: {} }], delayMs: 200 }, { text: 'Done.' }),
    );
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process();
    const { id } = await process.createRun({ agentId });
    await bench.model.waitForRequest(() => true);
    await process.json('POST', `${WORKSPACE}/runs/${id}/pause`);
    expect(await process.settled(id)).toMatchObject({ status: 'paused', errorFamily: null });
    expect(bench.model.requests.length).toBe(1);
    await process.json('POST', `${WORKSPACE}/runs/${id}/resume`);
    expect(await process.settled(id)).toMatchObject({ status: 'completed', output: { text: 'Done.' } });
    expect((await process.call('POST', `${WORKSPACE}/runs/${id}/resume`)).status).toBe(409);
  });
});
