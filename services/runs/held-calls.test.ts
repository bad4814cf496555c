import { afterEach, expect, test } from 'bun:test';
import type { Entry } from './harness/journal.ts';
import type { Run } from './runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from './test-bench.ts';

let bench: Bench;
afterEach(() => bench?.close());

/** The word makes it an access to secrets, which is asked by default. */
const COUNT = 'echo once >> count.txt # .netrc';
const SCRIPT = turns(
  { tools: [{ name: 'run_command', input: { command: COUNT } }] },
  { tools: [{ name: 'git_commit', input: { message: 'Count' } }] },
  { text: 'Done.' },
);

/** A message wakes an agent, in a process that dies at the given point, if it is given. */
async function begin(killAt?: number): Promise<{ process: Process; conversationId: string }> {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
  bench.spaces.policy.setRule('workspace', null, 'git_commit', 'ask');
  await bench.spaces.say(conversationId, '@engineer go', [agentId]);
  return { process: await bench.process(killAt === undefined ? {} : { killAt }), conversationId };
}

/** Ids of the approvals that people are shown in the conversation. */
function cards(): string[] {
  const shown = bench.spaces.messages.filter(({ kind }) => kind === 'approval');
  return shown.map(({ data }) => String(data.approvalId));
}

/** A person who allows whatever they are shown, until the run has ended or `isOver`. */
async function allowAll(isOver: () => boolean): Promise<void> {
  await until(
    async () => {
      const shown = cards();
      const open = [...bench.spaces.approvals.values()].filter(
        ({ id, status }) => status === 'pending' && shown.includes(id),
      );
      for (const { id } of open) await bench.spaces.decide(id, 'approved');
      return bench.events('run.ended');
    },
    (events) => events.length > 0 || isOver(),
  );
}

async function entriesOf(process: Process): Promise<Entry[]> {
  const { items: runs } = await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`);
  const path = `${WORKSPACE}/runs/${runs[0]?.id}/entries`;
  return (await process.json<{ items: { entry: Entry }[] }>('GET', path)).items.map(({ entry }) => entry);
}

/** Each call that began was allowed, for exactly what it is, and had its effect once at most; the commit is made once. */
async function expectOnce(process: Process, conversationId: string, wasCut: boolean): Promise<void> {
  expect((await bench.events('run.ended')).map(({ data }) => data.status)).toEqual(['completed']);
  const entries = await entriesOf(process);
  const begun = entries.filter((entry) => entry.kind === 'toolStarted');
  for (const { callId, decision } of begun) {
    const approval = bench.spaces.approvals.get(decision?.approvalId ?? '');
    expect(approval?.status).toBe('approved');
    expect(approval?.request.key).toEndWith(`/${callId}`);
  }
  const commands = begun.filter(({ name }) => name === 'run_command');
  const branch = `control-center/${conversationId}`;
  const lines = bench.repository.git('show', `${branch}:count.txt`).split('\n');
  if (wasCut) expect(lines.length).toBeLessThanOrEqual(commands.length);
  else expect([lines, commands.length]).toEqual([['once'], 1]);
  expect(bench.repository.git('log', '--format=%s', `main..${branch}`)).toBe('Count');
  expect(cards()).toEqual([...bench.spaces.approvals.keys()]);
  expect(bench.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
}

test('a call that waits for a person runs once, whatever point the process dies at', async () => {
  const { process, conversationId } = await begin();
  await allowAll(() => false);
  await expectOnce(process, conversationId, false);
  const points = process.points.slice(0, process.points.indexOf('tool.finish:after') + 1);
  await bench.close();
  const seen = new Set<string>();
  for (let killAt = points.indexOf('tool.hold:before'); killAt < points.length; killAt++) {
    seen.add(points[killAt] ?? '');
    const dying = await begin(killAt);
    const isDead = () => dying.process.points.length >= killAt;
    await allowAll(isDead);
    await dying.process.atRest();
    const lastState = (await bench.events('run.tool')).at(-1)?.data.state;
    const next = await bench.process();
    await allowAll(() => false);
    await expectOnce(next, dying.conversationId, lastState === 'started');
    await Promise.all([dying.process.stop(), next.stop()]);
    await bench.close();
  }
  for (const label of ['tool.hold', 'run.wait', 'run.wake', 'tool.start', 'tool.finish'])
    expect([label, seen.has(`${label}:before`), seen.has(`${label}:after`)]).toEqual([label, true, true]);
}, 240_000);

async function heldRun() {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId });
  const run = await process.settled(id);
  expect(run).toMatchObject({ status: 'running', liveness: 'waiting' });
  const ref = { workspaceId: WORKSPACE, conversationId, repository: 'app' };
  const dirty = async () => (await process.runner.gitStatus(ref)).dirty;
  expect(await dirty()).toEqual([]);
  return { process, run, dirty, approvalId: run.waitingFor ?? '' };
}

test('a refusal reaches the agent with its reason, and nothing has run', async () => {
  const { process, run, dirty, approvalId } = await heldRun();
  await bench.spaces.decide(approvalId, 'refused', { reason: 'that file is mine' });
  await until(
    () => bench.events('run.ended'),
    (events) => events.length === 1,
  );
  const finished = (await entriesOf(process)).find((entry) => entry.kind === 'toolFinished');
  expect(finished).toMatchObject({ isError: true, decision: { decision: 'ask', approvalId } });
  expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('that file is mine');
  expect(await dirty()).toEqual([]);
  expect(await process.settled(run.id)).toMatchObject({ status: 'completed' });
});

test('a cancelled run takes its question with it', async () => {
  const { process, run, dirty, approvalId } = await heldRun();
  await process.json('POST', `${WORKSPACE}/runs/${run.id}/cancel`);
  await until(
    async () => bench.spaces.approvals.get(approvalId)?.status,
    (status) => status === 'superseded',
  );
  await expect(bench.spaces.decide(approvalId, 'approved')).rejects.toThrow('superseded');
  expect(await dirty()).toEqual([]);
});

test('a run that a pipeline step wants waits for people who are not there; another is told so and goes on', async () => {
  bench = await createBench(SCRIPT);
  bench.spaces.policy.isAttended = false;
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process();
  const runs = [];
  for (const kind of ['pipelineStep', 'assignment'] as const) {
    const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
    const { id } = await process.createRun({ agentId, conversationId, trigger: { kind, id: null } });
    runs.push(await process.settled(id));
  }
  expect(runs).toMatchObject([{ liveness: 'waiting' }, { status: 'completed' }]);
  const statuses = [...bench.spaces.approvals.values()].map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(['pending', 'unattended']);
});
