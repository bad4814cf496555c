import { afterEach, describe, expect, test } from 'bun:test';
import type { ModelScript } from '../../../test/model/script.ts';
import type { Budget } from '../budgets/schema.ts';
import type { ToolFinishedEntry } from '../harness/journal.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

async function begin(script: ModelScript, mode: 'chat' | 'plan' = 'chat') {
  bench = await createBench(script);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation(mode, [bench.repository.source]);
  return { agentId, conversation, process: await bench.process() };
}

const runOf = (process: Process, id: string) => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`);

const ended = (process: Process, id: string) =>
  until(
    () => runOf(process, id),
    ({ endedAt }) => endedAt !== null,
  );

async function treeOf(process: Process, rootId: string): Promise<Run[]> {
  const { items } = await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs?rootRunId=${rootId}`);
  return items;
}

async function resultsOf(process: Process, id: string): Promise<ToolFinishedEntry[]> {
  const path = `${WORKSPACE}/runs/${id}/entries?limit=500`;
  const { items } = await process.json<{ items: { entry: ToolFinishedEntry }[] }>('GET', path);
  return items.map(({ entry }) => entry).filter(({ kind }) => kind === 'toolFinished');
}

/** The requests of the runs whose prompt holds the word and no more. */
const requestsOf = (task: string) =>
  bench.model.requests.filter(({ body }) => {
    const content = body.messages[0]?.content;
    return Array.isArray(content) && content.some((block) => block.type === 'text' && block.text === task);
  });

describe('a sub-agent', () => {
  test('two deep under a read-only run has no tool that writes, and an invented call changes nothing', async () => {
    const breakOut = calls(
      ['write_file', { path: 'README.md', content: 'gone' }],
      ['run_command', { command: 'rm README.md' }],
      ['git_commit', { message: 'x' }],
    );
    const { process, agentId, conversation } = await begin(
      dialogues(
        onWord('inner task', breakOut, { text: 'The inner one could not.' }),
        onWord('outer task', delegates('inner task'), { text: 'The outer one is done.' }),
        onWord('start', delegates('outer task'), { text: 'No plan is needed.' }, { text: 'None, really.' }),
      ),
      'plan',
    );
    const before = bench.repository.sourceState();
    const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'start' });
    const root = await ended(process, id);
    const [outer, inner] = await treeOf(process, id);
    expect(outer).toMatchObject({ parentRunId: id, rootRunId: id, mode: 'plan', children: [inner?.id] });
    expect(inner).toMatchObject({ parentRunId: outer?.id, rootRunId: id, mode: 'plan', children: [] });
    expect(root).toMatchObject({ parentRunId: null, rootRunId: null, children: [outer?.id] });
    for (const [task, run] of [
      ['outer task', outer],
      ['inner task', inner],
    ] as const) {
      const offered = requestsOf(task)[0]?.body.tools?.map(({ name }) => name) ?? [];
      expect(offered).toEqual(run?.tools as string[]);
      expect(offered.filter((name) => !root.tools.includes(name))).toEqual([]);
      for (const { name } of breakOut.tools) expect(offered).not.toContain(name);
      expect(run).toMatchObject({ status: 'completed', errorFamily: null });
    }
    const tried = await resultsOf(process, inner?.id as string);
    expect(tried.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect((await resultsOf(process, id)).map(({ content }) => content)).toEqual(['The outer one is done.']);
    const ref = { workspaceId: WORKSPACE, conversationId: conversation.id, repository: 'app' };
    expect((await process.runner.gitStatus(ref)).dirty).toEqual([]);
    expect(bench.repository.sourceState()).toEqual(before);
  });

  test('starts afresh, works in the worktree of its parent, and speaks to its parent alone', async () => {
    const { process, agentId, conversation } = await begin(
      dialogues(
        onWord('only this', calls(['write_file', { path: 'b.txt', content: 'b' }]), { text: 'Written.' }),
        onWord(
          'start',
          calls(['write_file', { path: 'a.txt', content: 'a' }]),
          delegates('only this'),
          calls(['list_files', {}]),
          { text: 'Both are there.' },
        ),
      ),
    );
    await bench.spaces.say(conversation.id, 'An earlier secret.', []);
    await bench.spaces.say(conversation.id, 'start', [agentId]);
    await until(
      () => bench.events('run.ended'),
      (events) => events.length === 2,
    );
    const [request] = requestsOf('only this');
    expect(JSON.stringify(request?.body.messages)).not.toContain('An earlier secret.');
    expect(JSON.stringify(request?.body.system)).toContain('You are a sub-agent');
    const [root] = (await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`)).items;
    const [, , listed] = await resultsOf(process, root?.id as string);
    expect(listed?.content).toContain('a.txt');
    expect(listed?.content).toContain('b.txt');
    expect(bench.spaces.messages.map(({ body }) => body)).toEqual([
      ...['An earlier secret.', 'start', 'Both are there.'],
    ]);
    const children = `${WORKSPACE}/runs?parentRunId=${root?.id}`;
    const { items } = await process.json<{ items: Run[] }>('GET', children);
    expect(items).toMatchObject([{ trigger: { kind: 'assignment', id: root?.id }, agentId }]);
  });

  test('may be another agent, and answers in the form that is asked for', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const { process, agentId, conversation } = await begin(
      dialogues(
        onWord('count', { text: '```json\n{"n": 3}\n```' }),
        onWord(
          'start',
          calls(
            ['run_subagent', { task: 'count', agent: 'QA', outputSchema: schema }],
            ['run_subagent', { task: 'count', agent: 'nobody' }],
            ['run_subagent', { task: 'count', outputSchema: { $ref: '#/nowhere' } }],
          ),
          { text: 'Done.' },
        ),
      ),
    );
    const qa = bench.spaces.addAgent('qa');
    const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'start' });
    await ended(process, id);
    const results = await resultsOf(process, id);
    const by = (text: string) => results.find(({ content }) => content.includes(text));
    expect(by('"n": 3')).toMatchObject({ isError: false });
    expect(by('There is no agent "nobody". The agents are: engineer, qa.')).toMatchObject({ isError: true });
    expect(by('outputSchema cannot be used')).toMatchObject({ isError: true });
    expect((await treeOf(process, id)).map((run) => run.agentId)).toEqual([qa.id]);
  });

  test('that fails or is cancelled gives that as its result', async () => {
    const { process, agentId, conversation } = await begin(
      dialogues(
        onWord('fail', { text: 'No.', stopReason: 'refusal' }),
        onWord('ask', calls(['ask_user', { question: 'Well?' }])),
        onWord('start', delegates('fail'), delegates('ask'), { text: 'Done.' }),
      ),
    );
    const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'start' });
    const [, asking] = await until(
      () => treeOf(process, id),
      (runs) => runs[1]?.liveness === 'waiting',
    );
    await process.json('POST', `${WORKSPACE}/runs/${asking?.id}/cancel`);
    expect(await ended(process, id)).toMatchObject({ status: 'completed', output: { text: 'Done.' } });
    const [failed, cancelled] = await resultsOf(process, id);
    expect(failed).toMatchObject({ isError: true });
    expect(failed?.content).toContain('refused');
    expect(cancelled).toMatchObject({ isError: true });
    expect(cancelled?.content).toContain('cancelled');
  });

  test('costs on its own row, and in the budget and the whole of its root', async () => {
    const { process, agentId, conversation } = await begin(
      dialogues(onWord('part', { text: 'Done.' }), onWord('start', delegates('part'), { text: 'All done.' })),
    );
    const place = { agentId, conversationId: conversation.id, prompt: 'start', budgetScope: 'whole' };
    const { id } = await process.createRun(place);
    const root = await ended(process, id);
    const [child] = await treeOf(process, id);
    const [ownMicros, childMicros] = [root.costMicros ?? 0, child?.costMicros ?? 0];
    expect(Math.min(ownMicros, childMicros)).toBeGreaterThan(0);
    expect(child?.budgetScope).toBe('whole');
    const budget = await process.json<Budget>('GET', `${WORKSPACE}/budgets/whole`);
    expect(budget).toMatchObject({ spentMicros: ownMicros + childMicros, reservedMicros: 0 });
    const told = (await bench.events('run.ended')).find(({ subject }) => subject === id);
    expect(told?.data).toMatchObject({
      costMicros: ownMicros,
      treeCostMicros: ownMicros + childMicros,
    });
  });
});

describe('several sub-agents of one answer', () => {
  test('work one after the other in the one worktree, and their parent goes on once, with all results', async () => {
    const { process, agentId, conversation } = await begin(
      dialogues(
        ...['first', 'second', 'third'].map((word) =>
          onWord(word, calls(['list_agents', {}]), { text: `The ${word} is done.` }),
        ),
        onWord('start', delegates('first', 'second', 'third'), { text: 'Done.' }),
      ),
    );
    const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'start' });
    // A message of a person does not come between a run and its sub-agents.
    await bench.model.waitForRequest(() => true);
    const other = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'other' });
    await ended(process, id);
    await ended(process, other.id);
    const results = await resultsOf(process, id);
    expect(results.map(({ content }) => content).toSorted()).toEqual([
      ...['The first is done.', 'The second is done.', 'The third is done.'],
    ]);
    const events = (await bench.events()).filter(({ type }) => /^run\.(started|ended|continued)$/.test(type));
    expect(events.map(({ type }) => type.slice('run.'.length))).toEqual([
      ...['started', 'started', 'ended', 'started', 'ended', 'started', 'ended'],
      ...['continued', 'ended', 'started', 'ended'],
    ]);
    expect(events.filter(({ subject }) => subject === id).map(({ type }) => type)).toEqual([
      ...['run.started', 'run.continued', 'run.ended'],
    ]);
  });
});

describe('the bounds of a tree', () => {
  test('end it three below its root, with the reason', async () => {
    const { process, agentId, conversation } = await begin(
      dialogues(onWord('deeper', delegates('deeper'), { text: 'Back.' })),
    );
    const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'deeper' });
    expect(await ended(process, id)).toMatchObject({ status: 'completed' });
    const tree = await treeOf(process, id);
    expect(tree.length).toBe(3);
    const [refused] = await resultsOf(process, tree.at(-1)?.id as string);
    expect(refused).toMatchObject({ isError: true });
    expect(refused?.content).toContain('3 is the most');
  });

  test('hold eight at a time and forty in all, with the reason', async () => {
    const tasks = (count: number) => delegates(...Array.from({ length: count }, (_, i) => `task ${i}`));
    const { process, agentId } = await begin(
      dialogues(
        onWord('task', { text: 'Done.' }),
        onWord('start', tasks(9), tasks(8), tasks(8), tasks(8), tasks(8), tasks(1), { text: 'Done.' }),
      ),
    );
    const { id } = await process.createRun({ agentId, prompt: 'start' });
    expect(await ended(process, id)).toMatchObject({ status: 'completed' });
    expect((await treeOf(process, id)).length).toBe(40);
    const refused = (await resultsOf(process, id)).filter(({ isError }) => isError);
    expect(refused.map(({ content }) => content)).toEqual([
      expect.stringContaining('8 sub-agents that have not ended'),
      expect.stringContaining('40 sub-agents, and that is the most'),
    ]);
  }, 30_000);

  test('hold for calls at the same moment, and for a parent that cannot wait', async () => {
    const { process, agentId, conversation } = await begin(
      dialogues(onWord('ask', calls(['ask_user', { question: 'Well?' }]), { text: 'Done.' })),
    );
    const parent = await process.createRun({ agentId, prompt: 'ask' });
    await process.settled(parent.id);
    const below = { agentId, prompt: 'ask', trigger: { kind: 'assignment' }, parentRunId: parent.id };
    const post = (body: object) => process.call('POST', `${WORKSPACE}/runs`, body);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(below)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(8);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.length).toBe(12);
    expect(await refused[0]?.json()).toMatchObject({ code: 'tree_limit' });
    expect((await post({ ...below, conversationId: conversation.id })).status).toBe(400);
    await process.json('POST', `${WORKSPACE}/runs/${parent.id}/cancel`);
    const late = await post(below);
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([409, 'wrong_status']);
  });
});
