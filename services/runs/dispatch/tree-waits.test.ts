import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateRun, Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

/** The second that is promised; tests allow for what busy cores add. */
const SECOND_MS = 1_000;
const PUSH = { command: 'git push origin main' };
const DEEP = dialogues(
  onWord('inner', calls(['run_command', PUSH]), { text: 'The inner one is done.' }),
  onWord('outer', delegates('inner'), { text: 'The outer one is done.' }),
  onWord('deep', delegates('outer'), { text: 'All is done.' }),
);

async function treeAt(process: Process, rootId: string): Promise<Run[]> {
  const root = await process.json<Run>('GET', `${WORKSPACE}/runs/${rootId}`);
  const path = `${WORKSPACE}/runs?rootRunId=${rootId}`;
  return [root, ...(await process.json<{ items: Run[] }>('GET', path)).items];
}

async function begin(script = DEEP, prompt = 'deep', more: Partial<CreateRun> = {}) {
  bench = await createBench(script);
  bench.spaces.policy.isAttended = more.trigger === undefined;
  const { id: agentId } = bench.spaces.addAgent('engineer');
  bench.spaces.addAgent('other');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt, ...more });
  return { process, id, agentId, conversation };
}

/** The tree of `DEEP` with its one approval, once its innermost run waits for that. */
async function askedTree() {
  const begun = await begin();
  const tree = await until(
    () => treeAt(begun.process, begun.id),
    (runs) => runs[2]?.liveness === 'waiting',
  );
  const [approval] = [...bench.spaces.approvals.values()];
  return { ...begun, tree, approval: approval! };
}

const allEnded = (process: Process, id: string) =>
  until(
    () => treeAt(process, id),
    (runs) => runs.every(({ endedAt }) => endedAt !== null),
  );

describe('an approval that is asked two sub-agents deep', () => {
  test('names the run that asks, its root, and the conversation of the root', async () => {
    const { tree, approval, id, conversation } = await askedTree();
    expect(approval.request).toMatchObject({ runId: tree[2]?.id, rootRunId: id });
    expect(approval.request.conversationId).toBe(conversation.id);
    expect(tree.map(({ liveness }) => liveness)).toEqual(['waiting', 'waiting', 'waiting']);
    expect(tree.map(({ waitingFor }) => waitingFor)).toEqual([
      tree[1]?.id as string,
      tree[2]?.id as string,
      approval.id,
    ]);
    const waiting = (await bench.events('run.waiting')).map(({ data }) => data);
    expect(waiting).toEqual([
      { approvalId: null, childRunId: tree[1]?.id },
      { approvalId: null, childRunId: tree[2]?.id },
      { approvalId: approval.id, childRunId: null },
    ]);
  });

  test('waits for people who are not there where a pipeline step is at the root', async () => {
    const trigger = { kind: 'pipelineStep', id: 'pip_1/a' } as const;
    const { process, id } = await begin(DEEP, 'deep', { trigger });
    const [, , inner] = await until(
      () => treeAt(process, id),
      (runs) => runs[2]?.liveness === 'waiting' || runs[0]?.endedAt !== null,
    );
    expect(bench.spaces.approvals.get(inner?.waitingFor as string)?.status).toBe('pending');
  });

  for (const how of ['approved', 'refused', 'stop of the root', 'stop of the innermost'] as const) {
    test(`lets the whole tree go on within a second: ${how}`, async () => {
      const { process, tree, approval, id } = await askedTree();
      const startedAt = performance.now();
      if (how === 'approved' || how === 'refused') await bench.spaces.decide(approval.id, how);
      else {
        const stopped = how === 'stop of the root' ? id : tree[2]?.id;
        await process.json('POST', `${WORKSPACE}/runs/${stopped}/cancel`);
        expect(bench.spaces.approvals.get(approval.id)?.status).toBe('superseded');
      }
      const over = await allEnded(process, id);
      expect(performance.now() - startedAt).toBeLessThan(SECOND_MS * 2);
      const is = (...statuses: Run['status'][]) => expect(over.map(({ status }) => status)).toEqual(statuses);
      if (how === 'stop of the root') is('cancelled', 'cancelled', 'cancelled');
      else if (how === 'stop of the innermost') is('completed', 'completed', 'cancelled');
      else is('completed', 'completed', 'completed');
      const ends = (await bench.events('run.ended')).map(({ subject }) => subject);
      expect(ends).toEqual(over.map((run) => run.id).toReversed());
    });
  }
});

describe('a cancel', () => {
  test('ends a tree within two seconds, with the command that runs in its depth', async () => {
    const { process, id, conversation } = await begin(
      dialogues(
        onWord(
          'inner',
          calls(['run_command', { command: 'echo $$ > pid; exec sleep 60' }], ['list_files', {}]),
        ),
        onWord('outer', delegates('inner')),
        onWord('deep', delegates('outer')),
      ),
    );
    const ref = { workspaceId: WORKSPACE, conversationId: conversation.id, repository: 'app' };
    const pidIn = async () => {
      const tree = await treeAt(process, id);
      if (tree.length < 3) return null;
      const { dirty } = await process.runner.gitStatus(ref);
      return dirty.length > 0 ? (await process.runner.readFile(ref, { path: 'pid' })).text.trim() : null;
    };
    const pid = await until(pidIn, (text) => text !== null && text !== '');
    expect(existsSync(join('/proc', pid as string))).toBe(true);
    const startedAt = performance.now();
    await process.json('POST', `${WORKSPACE}/runs/${id}/cancel`);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    const over = await treeAt(process, id);
    expect(over.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(isRunning(pid as string)).toBe(false);
    expect(bench.model.requests.length).toBe(3);
    const ends = (await bench.events('run.ended')).map(({ subject }) => subject);
    expect(ends).toEqual(over.map((run) => run.id).toReversed());
  });

  /** A waiting tree, whose cancel is asked of a process that dies at the given point of it. */
  async function cancelled(killAt?: number) {
    const { process, id, approval } = await askedTree();
    await process.stop();
    const second = await bench.process(killAt === undefined ? {} : { killAt });
    const from = second.points.length;
    await second.call('POST', `${WORKSPACE}/runs/${id}/cancel`);
    await second.atRest();
    return { second, id, approval, from };
  }

  test('that its process does not outlive is finished by the next', async () => {
    const { second, from } = await cancelled();
    const upTo = second.points.indexOf('run.end:after');
    await bench.close();
    for (let killAt = from; killAt <= upTo; killAt++) {
      const { second: dead, id, approval } = await cancelled(killAt);
      // Whoever passed the point before the commit made it.
      const isMarked = dead.points.includes('run.cancel:before');
      const next = await bench.process();
      if (!isMarked) await next.json('POST', `${WORKSPACE}/runs/${id}/cancel`);
      const over = await allEnded(next, id);
      expect(over.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
      const ends = (await bench.events('run.ended')).map(({ subject }) => subject);
      expect(ends.toSorted()).toEqual(over.map((run) => run.id).toSorted());
      await until(
        async () => bench.spaces.approvals.get(approval.id)?.status,
        (status) => status === 'superseded',
      );
      await Promise.all([dead.stop(), next.stop()]);
      await bench.close();
    }
  }, 120_000);

  test('of what is below a run that came to an end first is made at that end', async () => {
    const { process, id, agentId } = await begin(
      dialogues(
        onWord('below', calls(['ask_user', { question: 'And you?' }])),
        onWord(
          'start',
          calls(['ask_user', { question: 'Well?' }], ['run_subagent', { task: 'below', agent: 'other' }]),
        ),
      ),
      'start',
    );
    const [root, child] = await until(
      () => treeAt(process, id),
      (runs) => runs.length === 2 && runs.every(({ liveness }) => liveness === 'waiting'),
    );
    bench.spaces.agents.delete(agentId);
    await bench.spaces.decide(root?.waitingFor as string, 'approved');
    const over = await allEnded(process, id);
    expect(over.map(({ status }) => status)).toEqual(['failed', 'cancelled']);
    await until(
      async () => bench.spaces.approvals.get(child?.waitingFor as string)?.status,
      (status) => status === 'superseded',
    );
  });
});

/** A process that has ended and was not yet waited for is none that runs. */
function isRunning(pid: string): boolean {
  const path = join('/proc', pid, 'stat');
  return existsSync(path) && !readFileSync(path, 'utf8').includes(') Z ');
}
