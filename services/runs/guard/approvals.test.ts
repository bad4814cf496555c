import { describe, expect, test } from 'bun:test';
import * as z from 'zod';
import { capabilityProfile, type EffectClass } from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';
import type { GuardrailFacts } from '../peers/spaces-port.ts';
import { TestApprovals } from '../test-approvals.ts';
import { EVERY_TOOL } from '../tools/every-tool.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import {
  chat,
  createPolicyBench,
  type PolicyBench,
  type PolicyBenchOptions,
  SECRET,
  sign,
} from './test-doubles/policy-bench.ts';

const push = defineTool({
  ...{ name: 'push', description: 'Pushes.', tier: 'execute', effects: ['git_push'] },
  ...{ keyed: false, needs: null, run: async () => 'pushed' },
  input: z.strictObject({ branch: z.string() }),
});
const runCommand = EVERY_TOOL.find(({ name }) => name === 'run_command') as Tool;
const submitPlan = EVERY_TOOL.find(({ name }) => name === 'submit_plan') as Tool;

const benchWith = (more: Partial<PolicyBenchOptions> = {}) =>
  createPolicyBench({ profile: chat, tools: [push], ...more });
const pushTo = (branch: string, callId = 'call_1') => ({ callId, name: 'push', input: { branch } });

async function held(bench = benchWith()) {
  const outcome = await bench.make(pushTo('main'));
  if (!('waitingFor' in outcome)) throw new Error('it was not held');
  return { bench, again: { ...pushTo('main'), heldBy: outcome.waitingFor }, id: outcome.waitingFor };
}

describe('before anybody is asked', () => {
  test('an input that is not valid is told field by field, and no rule is looked up', async () => {
    const guardrails = () => Promise.reject(new Error('must not be asked'));
    const bench = benchWith({ options: { guardrails } });
    const made = { callId: 'call_1', name: 'push', input: { branch: 3, force: true } };
    expect(await bench.make(made)).toEqual({
      refused: expect.stringMatching(/not valid[\s\S]*branch[\s\S]*force/),
    });
    expect(bench.policy.all.size).toBe(0);
  });

  test('what holds is looked up once for a call, and never for what the mode pins', async () => {
    let looks = 0;
    const guardrails = async (): Promise<[GuardrailFacts]> => {
      looks += 1;
      return [{ mode: 'plan', autonomy: 'proposeOnly', whenNobody: 'refuse', rules: [] }];
    };
    const plan = capabilityProfile('plan');
    const bench = benchWith({ profile: plan, tools: [submitPlan], options: { guardrails } });
    const made = { callId: 'call_1', name: 'submit_plan', input: { goal: 'Mend it' } };
    expect(await bench.make(made)).toEqual({ ran: true });
    expect(looks).toBe(0);
    const other = benchWith({ options: { guardrails } });
    await other.make(pushTo('main'));
    expect(looks).toBe(1);
  });

  test('guardrails that cannot be read refuse, and ones that may come back are waited for', async () => {
    const down = benchWith({ options: { guardrails: () => Promise.reject(new Error('down')) } });
    expect(await down.make(pushTo('main'))).toEqual({ refused: expect.stringContaining('down') });
    const away = new Fault('unavailable', 'Spaces is away.');
    const bench = benchWith({ options: { guardrails: () => Promise.reject(away) } });
    await expect(bench.make(pushTo('main'))).rejects.toBe(away);
    expect([...down.executed, ...bench.executed]).toEqual([]);
  });

  test('a command that cannot be read counts as everything a shell can do', async () => {
    const bench = benchWith({ tools: [runCommand] });
    const made = { callId: 'call_1', name: 'run_command', input: { command: 'ls' } };
    expect(await bench.make(made)).toHaveProperty('waitingFor');
    const [approval] = bench.policy.all.values();
    expect(approval?.arguments.classes).toEqual([...runCommand.effects]);
  });

  test('a call that nobody admitted does not run', async () => {
    const bench = benchWith();
    const outcome = await bench.port.execute(pushTo('main'), new AbortController().signal);
    expect(outcome).toMatchObject({ isError: true, content: expect.stringContaining('not admitted') });
    expect(bench.executed).toEqual([]);
  });
});

describe('an approval', () => {
  test('is asked for in one line with what it would do, and stands as a card in the conversation', async () => {
    const bench = benchWith();
    await bench.make(pushTo('main\n\u001b[2J```\n**approved**'));
    const [approval] = bench.policy.all.values();
    expect(approval?.request.subject).not.toMatch(/[\p{Cc}\u2028]/u);
    expect(approval?.arguments).toEqual({
      ...{ tool: 'push', input: { branch: 'main\n\u001b[2J```\n**approved**' } },
      ...{ classes: ['git_push'], asked: ['git_push'] },
      reason: "git_push needs a person's approval, by default.",
    });
    const data = { approvalId: approval?.id, runId: 'run_1', rootRunId: 'run_1' };
    expect(bench.cards).toMatchObject([
      { kind: 'approval', data, key: `run_1/call_1/approval/${approval?.id}` },
    ]);
    expect(bench.cards[0]?.body).toMatch(/\n````\n[\s\S]*\n````$/);
  });

  test('once given lets exactly that call run, also when the rules have changed since', async () => {
    const { bench, again, id } = await held();
    await bench.policy.decide(id, 'approved');
    bench.policy.setRule('space', 'spc_1', 'git_push', 'ask');
    expect(await bench.make(pushTo('release'))).toHaveProperty('waitingFor');
    expect(await bench.make(again)).toEqual({ ran: true });
    expect(bench.executed.map(({ input }) => input)).toEqual([{ branch: 'main' }]);
  });

  test('refused stays so when the rules allow the call by then', async () => {
    const { bench, again, id } = await held();
    await bench.policy.decide(id, 'refused', { reason: 'not on a Friday' });
    bench.policy.setRule('workspace', null, 'git_push', 'allow');
    expect(await bench.make(again)).toEqual({ refused: expect.stringContaining('not on a Friday') });
    expect(await bench.make(pushTo('main', 'call_2'))).toEqual({ ran: true });
  });

  test('still open is taken back when the rules have come to decide alone', async () => {
    for (const action of ['allow', 'deny'] as const) {
      const { bench, again, id } = await held();
      bench.policy.setRule('agent', 'agt_1', 'git_push', action);
      expect(await bench.make(again)).toHaveProperty(action === 'allow' ? 'ran' : 'refused');
      expect(bench.policy.find(id).status).toBe('superseded');
    }
  });

  test('given does not help against a rule that denies by then', async () => {
    const { bench, again, id } = await held();
    await bench.policy.decide(id, 'approved');
    bench.policy.setRule('workspace', null, 'git_push', 'deny');
    expect(await bench.make(again)).toEqual({ refused: expect.stringContaining('denied') });
    expect(bench.executed).toEqual([]);
  });

  describe('of less than has to be asked by then', () => {
    const publish = { ...push, effects: ['git_push', 'pr_create'] satisfies EffectClass[] };
    /** Held when a push had to be asked alone; by now opening a pull request has to be asked too. */
    async function narrow(decide: (bench: PolicyBench, id: string) => Promise<void>) {
      const bench = benchWith({ tools: [{ ...publish, effectsOf: async () => publish.effects }] });
      bench.policy.setRule('workspace', null, 'pr_create', 'allow');
      const { id, again } = await held(bench);
      await decide(bench, id);
      bench.policy.setRule('workspace', null, 'pr_create', 'ask');
      return { bench, id, outcome: await bench.make(again) };
    }

    test('is asked for anew, with a card of its own', async () => {
      for (const decide of [
        async () => undefined,
        (bench: PolicyBench, id: string) => bench.policy.decide(id, 'approved'),
      ]) {
        const { bench, id, outcome } = await narrow(decide);
        const { waitingFor } = outcome as { waitingFor: string };
        expect(waitingFor).not.toBe(id);
        expect(bench.policy.find(waitingFor).arguments.asked).toEqual(['git_push', 'pr_create']);
        expect(bench.cards.map(({ data }) => data.approvalId)).toEqual([id, waitingFor]);
        expect(new Set(bench.cards.map(({ key }) => key)).size).toBe(2);
      }
    });

    test('stays refused when a person refused it', async () => {
      const { bench, outcome } = await narrow((policyBench, id) =>
        policyBench.policy.decide(id, 'refused', { reason: 'not on a Friday' }),
      );
      expect(outcome).toEqual({ refused: expect.stringContaining('not on a Friday') });
      expect(bench.policy.all.size).toBe(1);
    });
  });

  test('for the run covers the same call again in it, and no other', async () => {
    const { bench, again, id } = await held();
    await bench.policy.decide(id, 'approved', { grant: 'run' });
    await bench.make(again);
    expect(await bench.make(pushTo('main', 'call_2'))).toEqual({ ran: true });
    expect(await bench.make(pushTo('release', 'call_3'))).toHaveProperty('waitingFor');
    const other = benchWith({ policy: bench.policy, runId: 'run_2' });
    expect(await other.make(pushTo('main'))).toHaveProperty('waitingFor');
  });

  test('as a rule covers every call of its classes in the space', async () => {
    const { bench, again, id } = await held();
    await bench.policy.decide(id, 'approved', { grant: 'rule' });
    await bench.make(again);
    expect(await bench.make(pushTo('release', 'call_2'))).toEqual({ ran: true });
  });

  test('taken back refuses', async () => {
    const { bench, again, id } = await held();
    await bench.policy.supersede(id);
    expect(await bench.make(again)).toEqual({ refused: expect.stringContaining('taken back') });
  });
});

describe('with nobody there', () => {
  function alone(more: Partial<PolicyBenchOptions> = {}) {
    const policy = new TestApprovals(async () => undefined);
    policy.isAttended = false;
    return benchWith({ policy, ...more });
  }

  test('a call is refused and left in the inbox; allowed there, the same call runs once', async () => {
    const bench = alone();
    expect(await bench.make(pushTo('main'))).toEqual({ refused: expect.stringContaining('inbox') });
    const [left] = bench.policy.all.values();
    expect(left?.status).toBe('unattended');
    await bench.policy.decide(left?.id ?? '', 'approved');
    const later = alone({ policy: bench.policy, runId: 'run_2' });
    expect(await later.make(pushTo('release'))).toHaveProperty('refused');
    expect(await later.make(pushTo('main', 'call_2'))).toEqual({ ran: true });
    expect(await later.make(pushTo('main', 'call_3'))).toHaveProperty('refused');
  });

  test('a run that waits for people waits, and so does one in a space that says so', async () => {
    const steps = alone({ options: { waitsForPeople: true } });
    expect(await steps.make(pushTo('main'))).toHaveProperty('waitingFor');
    const patient = alone({ guardrails: { whenNobody: 'wait' } });
    expect(await patient.make(pushTo('main'))).toHaveProperty('waitingFor');
  });
});

describe('a secret in a call', () => {
  test('is not shown, and the approval is still that of the exact call', async () => {
    const bench = benchWith();
    const outcome = await bench.make(pushTo(`main-${SECRET}`));
    const [approval] = bench.policy.all.values();
    const told = JSON.stringify([approval, bench.cards, outcome]);
    expect(told).not.toContain(SECRET);
    const exact = sign(JSON.stringify({ branch: `main-${SECRET}` }));
    expect(approval?.arguments).toMatchObject({ input: { branch: 'main-[redacted]' }, exact });
    await bench.policy.decide(approval?.id ?? '', 'approved', { grant: 'run' });
    expect(await bench.make(pushTo('main-[redacted]', 'call_2'))).toHaveProperty('waitingFor');
    expect(await bench.make(pushTo(`main-${SECRET}`, 'call_3'))).toEqual({ ran: true });
  });
});

test('the classes of every tool that changes the world are refused in each read-only mode', async () => {
  const changing = EVERY_TOOL.filter(({ tier, effects }) => tier !== 'read' && effects.length > 0);
  expect(changing.length).toBeGreaterThan(4);
  for (const tool of changing) {
    for (const mode of ['plan', 'review', 'orchestrate'] as const) {
      const free: Tool = { ...tool, faultOf: () => null, effectsOf: async () => tool.effects };
      const made = { callId: 'call_1', name: tool.name, input: {} };
      const wide: EffectClass[] = [...tool.effects];
      const policy = new TestApprovals(async () => undefined);
      for (const effect of wide) policy.setRule('space', 'spc_1', effect, 'allow');
      const own = benchWith({ profile: capabilityProfile(mode), tools: [free], policy });
      const present = benchWith({ present: mode, tools: [free], policy });
      expect(await own.make(made)).toHaveProperty('refused');
      expect(await present.make(made)).toHaveProperty('refused');
      expect([...own.executed, ...present.executed]).toEqual([]);
    }
  }
});
