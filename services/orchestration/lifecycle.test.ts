import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { driverOf } from './doubles/driver.ts';
import type { Script } from './doubles/memory-runs.ts';
import { answerScript, PERSON, proposalOf, World } from './doubles/world.ts';

setDefaultTimeout(30_000);

let world: World;
afterEach(() => world.end());

async function begin(script: Script = answerScript(), repository = false) {
  world = await World.create({ script, repository });
  await world.live();
  const drive = driverOf(world);
  const { id } = await drive.propose();
  return { drive, id };
}

const isOpen = (status: string) => !['done', 'failed', 'cancelled'].includes(status);

function nothingIsOpen() {
  expect(world.spaces.tickets.filter((ticket) => isOpen(ticket.status))).toEqual([]);
  expect(world.spaces.approvals.filter((approval) => approval.status === 'pending')).toEqual([]);
  expect(world.runs.runs.filter((run) => !['completed', 'failed', 'cancelled'].includes(run.status))).toEqual(
    [],
  );
}

test('cancels a proposal', async () => {
  const { drive, id } = await begin();
  await drive.cancel(id);
  await drive.ended(id, 'cancelled');
  nothingIsOpen();
  await expect(drive.approve(id)).rejects.toMatchObject({ code: 'already_decided' });
});

test('cancels in the middle of setting up, and sets nothing more up', async () => {
  const { drive, id } = await begin();
  const { promise: hiring, resolve: hired } = Promise.withResolvers<void>();
  const { promise: mayHire, resolve: goOn } = Promise.withResolvers<void>();
  const hire = world.spaces.hireAgent.bind(world.spaces);
  world.spaces.hireAgent = async (input) => {
    hired();
    await mayHire;
    return hire(input);
  };
  await drive.approve(id);
  await hiring;
  await drive.cancel(id);
  goOn();
  const ended = await drive.ended(id, 'cancelled');
  expect(ended.pipelineRunId).toBeNull();
  expect(world.spaces.teams).toEqual([]);
  expect(world.runs.runs).toEqual([]);
  nothingIsOpen();
  expect(world.errors).toEqual([]);
});

for (const step of ['research', 'ticket/api', 'synthesis']) {
  test(`cancels while ${step} is running, and tears down what is in flight`, async () => {
    const { drive, id } = await begin(answerScript({ [step]: 'hold' }));
    await drive.approve(id);
    await drive.stepIs(id, step, 'waiting');
    await drive.cancel(id);
    const ended = await drive.ended(id, 'cancelled');
    expect(ended.pipelineStatus).toBe('cancelled');
    expect(ended.steps.find((one) => one.key === step)?.state).toBe('cancelled');
    expect(world.runs.runOf(step).status).toBe('cancelled');
    expect(ended.deliverable).toBeNull();
    nothingIsOpen();
  });
}

test('refuses to cancel what is completed, and does nothing twice', async () => {
  const { drive, id } = await begin();
  await drive.approve(id);
  await drive.ended(id, 'completed');
  await expect(drive.cancel(id)).rejects.toMatchObject({ code: 'wrong_status' });
});

test('a failed sub-ticket does not stop its siblings, and stands in the gaps', async () => {
  const script = answerScript({ 'ticket/api': { status: 'failed', summary: 'the model refused' } });
  world = await World.create({ script });
  await world.live();
  const drive = driverOf(world);
  const docs = { ...proposalOf().tickets[0]!, key: 'docs', title: 'Write the docs' };
  const { id } = await drive.propose({ proposal: proposalOf({ tickets: [...proposalOf().tickets, docs] }) });
  await drive.approve(id);
  const done = await drive.ended(id, 'completed');
  const states = Object.fromEntries(done.steps.map((step) => [step.key, step.state]));
  expect(states).toMatchObject({
    'ticket/api': 'failed',
    'ticket/test': 'skipped',
    'ticket/docs': 'done',
    collect: 'done',
  });
  expect(done.steps.find((step) => step.key === 'ticket/test')?.error).toContain('needs ticket/api');
  expect(done.gaps).toHaveLength(2);
  expect(done.gaps?.join()).toContain('the model refused');
  const { prompt } = world.runs.runOf('synthesis');
  expect(prompt).toContain('### FAILED: ticket/api (Make the API)');
  expect(prompt).toContain('### Done: ticket/docs (Write the docs)');
  expect(world.spaces.ticketTitled('Make the API').status).toBe('failed');
  expect(world.spaces.ticketTitled('Test the API').status).toBe('cancelled');
});

test('says in the entry and the gaps that a branch could not be merged', async () => {
  world = await World.create({ repository: true });
  await world.live();
  const drive = driverOf(world);
  const { id } = await drive.propose();
  const commit = world.runs.commitWorktree.bind(world.runs);
  world.runs.commitWorktree = async (input) => {
    const committed = await commit(input);
    if (input.key.endsWith('ticket/test/commit')) world.runs.conflictsWith.push(committed.branch);
    return committed;
  };
  await drive.approve(id);
  const done = await drive.ended(id, 'completed');
  expect(world.runs.runOf('synthesis').prompt).toContain('NOT MERGED');
  expect(done.gaps?.[0]).toContain('conflicts with the others in a.ts');
});

test('a run that ends without a result is a failure, and so is one in the wrong form', async () => {
  const script = answerScript({ research: { text: ' ' } });
  const { drive, id } = await begin(script);
  await drive.approve(id);
  const failed = await drive.ended(id, 'failed');
  expect(failed.failure).toMatchObject({ code: 'pipeline_failed' });
  expect(failed.failure?.message).toContain('ended without a result');
  expect(world.spaces.ticketTitled('Build the thing').status).toBe('failed');
  nothingIsOpen();
});

test('a failed step is retried by a person, under a new run, and the rest goes on from there', async () => {
  let tries = 0;
  const answers = answerScript();
  const { drive, id } = await begin((run, step) =>
    step === 'research' && ++tries === 1 ? { status: 'failed', summary: 'overloaded' } : answers(run, step),
  );
  await drive.approve(id);
  await drive.ended(id, 'failed');
  await expect(drive.retry(id, 'research', world.agent)).rejects.toMatchObject({ code: 'people_only' });
  await drive.retry(id, 'research');
  const done = await drive.ended(id, 'completed');
  expect(world.runs.runs.filter((run) => world.runs.stepOf(run) === 'research')).toHaveLength(2);
  expect(done.steps.find((step) => step.key === 'research')?.costMicros).toBe(2_000);
  expect(world.spaces.ticketTitled('Build the thing').status).toBe('done');
  expect(await world.events('pipeline.failed')).toHaveLength(1);
});

test('a failed step is skipped by a person, and later steps are told so', async () => {
  const { drive, id } = await begin(answerScript({ research: { status: 'failed' } }));
  await drive.approve(id);
  await drive.ended(id, 'failed');
  await expect(drive.skip(id, 'synthesis')).rejects.toMatchObject({ code: 'wrong_status' });
  await expect(drive.skip(id, 'nothing')).rejects.toMatchObject({ code: 'not_found' });
  await expect(drive.retry(id, 'start')).rejects.toMatchObject({ code: 'wrong_status' });
  await drive.ended(id, 'failed');
  await drive.skip(id, 'research');
  await drive.ended(id, 'completed');
  expect(world.runs.runOf('ticket/api').prompt).toContain('the step was skipped');
});

test('what later steps have taken into account can no longer be retried', async () => {
  world = await World.create({
    script: answerScript({ 'ticket/api': { status: 'failed' }, synthesis: 'hold' }),
  });
  await world.live();
  const drive = driverOf(world);
  const docs = { ...proposalOf().tickets[0]!, key: 'docs', title: 'Write the docs' };
  const { id } = await drive.propose({ proposal: proposalOf({ tickets: [...proposalOf().tickets, docs] }) });
  await drive.approve(id);
  await drive.stepIs(id, 'synthesis', 'waiting');
  await expect(drive.retry(id, 'ticket/api')).rejects.toMatchObject({ code: 'wrong_status' });
  expect((await drive.detail(id)).status).toBe('synthesizing');
});

test('a role whose agent was taken away cannot be approved; an approval of the inbox fails the setting up, with the reason', async () => {
  const { drive, id } = await begin();
  world.spaces.agents.splice(
    world.spaces.agents.findIndex((agent) => agent.name === 'engineer'),
    1,
  );
  await expect(drive.approve(id)).rejects.toMatchObject({ code: 'conflict' });
  const { status, approvalId } = await drive.detail(id);
  expect(status).toBe('proposed');
  await world.spaces.decideApproval(PERSON, String(approvalId), { decision: 'approved' });
  const failed = await drive.ended(id, 'failed');
  expect(failed.failure).toMatchObject({ code: 'not_found' });
  expect(failed.failure?.message).toContain('engineer');
  nothingIsOpen();
});

async function pausedForBudget() {
  const { drive, id } = await begin(answerScript({ 'ticket/api': 'budget' }));
  await drive.approve(id);
  await world.until('a person is asked', async () => (await drive.detail(id)).budgetApprovalId !== null);
  const asked = await drive.detail(id);
  expect(asked.pipelineStatus).toBe('suspended');
  const question = await world.spaces.getApproval(String(asked.budgetApprovalId));
  expect(question).toMatchObject({
    kind: 'question',
    status: 'pending',
    arguments: { about: 'budget', capMicros: 5_000_000 },
  });
  expect(await world.events('orchestration.budgetReached')).toMatchObject([
    { subject: id, data: { capMicros: 5_000_000 } },
  ]);
  return { drive, id, question };
}

test('at the cap the pipeline waits and a person is asked; a raise lets it go on', async () => {
  const { drive, id, question } = await pausedForBudget();
  await expect(drive.raise(id, 9_000_000, world.agent)).rejects.toMatchObject({ code: 'people_only' });
  await expect(drive.raise(id, 5_000_000)).rejects.toMatchObject({ code: 'invalid_request' });
  await drive.raise(id, 9_000_000);
  const done = await drive.ended(id, 'completed');
  expect(done).toMatchObject({ budgetMicros: 9_000_000, budgetApprovalId: null });
  expect(world.runs.budgets.get(id)).toBe(9_000_000);
  expect((await world.spaces.getApproval(question.id)).status).toBe('superseded');
});

for (const [answer, cap] of [
  ['raise', 10_000_000],
  ['raise 7000000', 7_000_000],
  [undefined, 10_000_000],
] as const) {
  test(`the question answered with ${answer} raises the cap to ${cap}`, async () => {
    const { drive, id, question } = await pausedForBudget();
    await world.spaces.decideApproval(PERSON, question.id, {
      decision: 'approved',
      ...(answer ? { answer } : {}),
    });
    await drive.ended(id, 'completed');
    expect(world.runs.budgets.get(id)).toBe(cap);
  });
}

for (const decision of [{ decision: 'approved', answer: 'stop' }, { decision: 'refused' }] as const) {
  test(`the question ${decision.decision} with ${'answer' in decision ? decision.answer : 'no answer'} stops the work`, async () => {
    const { drive, id, question } = await pausedForBudget();
    await world.spaces.decideApproval(PERSON, question.id, decision);
    await drive.ended(id, 'cancelled');
    nothingIsOpen();
  });
}

test('an answer that nobody understands neither spends nor stops: it is asked again', async () => {
  const { drive, id, question } = await pausedForBudget();
  await world.spaces.decideApproval(PERSON, question.id, { decision: 'approved', answer: 'raise 12' });
  await world.until('asked again', async () => (await drive.detail(id)).budgetApprovalId !== question.id);
  const again = await drive.detail(id);
  expect(again).toMatchObject({ status: 'executing', pipelineStatus: 'suspended', budgetMicros: 5_000_000 });
  await world.spaces.decideApproval(PERSON, String(again.budgetApprovalId), {
    decision: 'approved',
    answer: 'raise',
  });
  await drive.ended(id, 'completed');
});

test('a run that stopped at another budget, as that of the workspace, raises no question about this one', async () => {
  const { drive, id } = await begin(answerScript({ 'ticket/api': 'hold' }));
  await drive.approve(id);
  await world.until('the run is there', async () => world.runs.runs.some((run) => isOf(run, 'ticket/api')));
  const run = world.runs.runOf('ticket/api');
  const getRun = world.runs.getRun.bind(world.runs);
  let looks = 0;
  world.runs.getRun = (runId) => {
    looks += 1;
    return getRun(runId);
  };
  // One event after the other: with the second look all that follows from the first is done.
  for (const seen of [1, 2]) {
    await world.runs.pauseForBudget(run, 'workspace/2026-11');
    await world.until('the pause was seen', async () => looks === seen);
  }
  expect(await drive.detail(id)).toMatchObject({ pipelineStatus: 'running', budgetApprovalId: null });
  await world.runs.resumeRun(run.id);
  await drive.ended(id, 'completed');
  expect(await world.events('orchestration.budgetReached')).toEqual([]);
});

const isOf = (run: { trigger: { id: string } }, step: string) => run.trigger.id.endsWith(`/${step}`);

test('goes on with what happened while the server was down', async () => {
  const { drive, id } = await begin(answerScript({ 'ticket/api': 'hold' }));
  await drive.approve(id);
  await drive.stepIs(id, 'ticket/api', 'waiting');
  await world.drop();
  await world.runs.end(world.runs.runOf('ticket/api'), { text: 'made while nobody listened' });
  await world.live();
  await drive.ended(id, 'completed');
  expect(world.runs.runOf('ticket/test').prompt).toContain('made while nobody listened');
});

test('takes over an approval that was decided while the server was down', async () => {
  const { drive, id } = await begin();
  const { approvalId } = await drive.detail(id);
  await world.drop();
  await world.spaces.decideApproval(PERSON, String(approvalId), { decision: 'approved' });
  await world.live();
  await drive.ended(id, 'completed');
});

test('carries on when another service is away for a while', async () => {
  const { drive, id } = await begin();
  const { Fault } = await import('../kit/fault.ts');
  let away = 3;
  const create = world.runs.createRun.bind(world.runs);
  world.runs.createRun = async (input) => {
    if (away-- > 0) throw new Fault('unavailable', 'The service cannot be reached.');
    return create(input);
  };
  world.spaces.createTeam = ((createTeam) => async (input: Parameters<typeof createTeam>[0]) => {
    if (away-- > 2) throw new Fault('unavailable', 'The service cannot be reached.');
    return createTeam(input);
  })(world.spaces.createTeam.bind(world.spaces));
  const clock = setInterval(() => {
    world.nowMs += 1_000;
  }, 20);
  await drive.approve(id);
  await drive.ended(id, 'completed');
  clearInterval(clock);
});
