import { afterEach, describe, expect, test } from 'bun:test';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';
import { calls, dialogues, onWord } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench?.close());

const SCRIPT = dialogues(
  onWord('Call exit_plan_mode now', calls(['exit_plan_mode', { summary: 'As agreed' }]), {
    text: 'I am out.',
  }),
  onWord('call exit_plan_mode again', calls(['exit_plan_mode', { summary: 'A smaller step' }]), {
    text: 'Asked anew.',
  }),
  onWord('with planId orc_7', calls(['submit_plan', { goal: 'g', nodes: [], planId: 'orc_7' }]), {
    text: 'Revised.',
  }),
  onWord('ask to go', calls(['exit_plan_mode', { summary: 'I would mend the readme' }]), { text: 'Asked.' }),
);

async function begin() {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('plan');
  return { agentId, conversation, process: await bench.process() };
}

/** An agent has asked to leave plan mode, and its run is over. */
async function askedToGo() {
  const begun = await begin();
  const { agentId, conversation, process } = begun;
  const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'ask to go' });
  await process.settled(id);
  const [gate] = bench.spaces.approvals.values();
  expect(gate).toMatchObject({ kind: 'plan_exit', status: 'pending', request: { runId: id } });
  return { ...begun, gate: gate! };
}

async function followUps(process: Process): Promise<Run[]> {
  const { items } = await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`);
  return items.filter(({ trigger }) => trigger.kind === 'followUp');
}

const followedUp = (process: Process) =>
  until(
    () => followUps(process),
    (runs) => runs.length > 0 && runs.every(({ endedAt }) => endedAt !== null),
  );

const lastPrompt = () => JSON.stringify(bench.model.requests.at(-1)?.body.messages[0]);

describe('a decision about plan mode', () => {
  test('that grants it wakes the agent, whose call is what moves the space', async () => {
    const { process, gate, agentId, conversation } = await askedToGo();
    await bench.spaces.decide(gate.id, 'approved');
    const [run] = await followedUp(process);
    expect(run).toMatchObject({
      ...{ agentId, conversationId: conversation.id, mode: 'plan', key: `followUp:${gate.id}` },
      ...{ trigger: { kind: 'followUp', id: gate.id }, output: { text: 'I am out.' } },
      // It was not asked for a plan, so that it came to what it was to come to.
      ...{ status: 'completed', liveness: 'progressing', errorFamily: null },
    });
    expect(lastPrompt()).toContain('I would mend the readme');
    expect(conversation.space.mode).toBe('chat');
    expect(bench.spaces.messages.at(-1)).toMatchObject({ kind: 'text', body: 'I am out.' });
    const next = await process.createRun({ agentId, conversationId: conversation.id });
    const { mode, tools } = await process.settled(next.id);
    expect(mode).toBe('chat');
    expect([tools.includes('create_ticket'), tools.includes('exit_plan_mode')]).toEqual([true, false]);
  });

  test('that refuses it gives the reason, and lets the agent ask for something else', async () => {
    const { process, gate, conversation } = await askedToGo();
    await bench.spaces.decide(gate.id, 'refused', { reason: 'too much at once' });
    await followedUp(process);
    expect(lastPrompt()).toContain('too much at once');
    expect(conversation.space.mode).toBe('plan');
    const gates = [...bench.spaces.approvals.values()];
    expect(gates.map(({ status }) => status)).toEqual(['refused', 'pending']);
    expect(gates[1]?.arguments).toMatchObject({ summary: 'A smaller step' });
  });

  test('names no tool that the agent will not have', async () => {
    const { process, gate, conversation } = await askedToGo();
    conversation.space.mode = 'chat';
    await bench.spaces.decide(gate.id, 'approved');
    await followedUp(process);
    expect(lastPrompt()).not.toContain('Call exit_plan_mode');
    expect(lastPrompt()).toContain('not in plan mode any more');
  });

  test('is withdrawn with the run that asked when that is stopped, and the space stays in plan mode', async () => {
    bench = await createBench(
      dialogues(
        onWord(
          'ask to go',
          calls(['exit_plan_mode', { summary: 'x' }]),
          calls(['ask_user', { question: 'Well?' }]),
        ),
      ),
    );
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const conversation = bench.spaces.addConversation('plan');
    const process = await bench.process();
    const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'ask to go' });
    expect(await process.settled(id)).toMatchObject({ liveness: 'waiting' });
    await process.json('POST', `${WORKSPACE}/runs/${id}/cancel`);
    const approvals = [...bench.spaces.approvals.values()];
    expect(approvals.map(({ kind, status }) => [kind, status])).toEqual([
      ['plan_exit', 'superseded'],
      ['question', 'superseded'],
    ]);
    expect(conversation.space.mode).toBe('plan');
    expect(await followUps(process)).toEqual([]);
  });
});

describe('changes that are asked of a submission', () => {
  const ask = async (agentId: string, conversationId: string | null, key = 'o', kind?: 'plan') => {
    const { id } = await bench.spaces.policy.request({
      ...{ kind: 'orchestration', requester: `agent:${agentId}`, subject: 'Approve', runId: 'run_gone' },
      ...{ rootRunId: 'run_gone', spaceId: null, conversationId, key },
      arguments: { orchestrationId: 'orc_7', revision: 3, ...(kind && { kind }) },
    });
    return id;
  };

  test('reach its agent once over a restart, with the reason and what to call', async () => {
    const { agentId, conversation, process } = await begin();
    const approvalId = await ask(agentId, conversation.id);
    await process.stop();
    const decision = { changesRequested: true, reason: 'be bolder' };
    await bench.spaces.decide(approvalId, 'refused', decision);
    for (let killAt = 0; ; killAt++) {
      const dying = await bench.process({ killAt });
      await until(
        async () => dying.points.length >= killAt || (await followUps(dying)).length > 0,
        (isOver) => isOver,
      );
      await dying.atRest();
      const isThere = (await bench.events('run.created')).length > 0;
      await dying.stop();
      if (isThere) break;
    }
    for (const _ of [1, 2, 3]) {
      const next = await bench.process();
      const [run, ...more] = await followedUp(next);
      expect(more).toEqual([]);
      expect(run).toMatchObject({ agentId, trigger: { kind: 'followUp', id: approvalId }, mode: 'plan' });
      await next.stop();
    }
    expect(lastPrompt()).toContain('revision 3 of orc_7');
    expect(lastPrompt()).toContain('be bolder');
    expect(lastPrompt()).toContain('submit_plan with planId orc_7');
    expect(lastPrompt()).not.toContain('propose_orchestration');
  });

  test('of a plan hold nobody to a proposal where the space has come to be one of orchestration', async () => {
    const { agentId, conversation, process } = await begin();
    const approvalId = await ask(agentId, conversation.id, 'p', 'plan');
    conversation.space.mode = 'orchestrate';
    await bench.spaces.decide(approvalId, 'refused', { changesRequested: true, reason: 'be bolder' });
    const [run] = await followedUp(process);
    expect(lastPrompt()).toContain('say what you would change');
    expect(run).toMatchObject({ mode: 'orchestrate', status: 'completed', errorFamily: null });
    expect(bench.model.requests.length).toBe(1);
  });

  test('are no matter of a mere refusal, of a person, of no conversation, or of an agent that is gone', async () => {
    const { agentId, conversation, process } = await begin();
    const changes = { changesRequested: true, reason: 'r' };
    await bench.spaces.decide(await ask(agentId, conversation.id, 'a'), 'refused', { reason: 'no' });
    await bench.spaces.decide(await ask(agentId, null, 'b'), 'refused', changes);
    await bench.spaces.decide(await ask('agt_gone', conversation.id, 'c'), 'refused', changes);
    await bench.spaces.decide(await ask(agentId, 'cnv_gone', 'd'), 'refused', changes);
    const last = await ask(agentId, conversation.id, 'e');
    await bench.spaces.decide(last, 'refused', changes);
    expect((await followedUp(process)).map(({ trigger }) => trigger.id)).toEqual([last]);
  });
});
