import { afterEach, describe, expect, test } from 'bun:test';
import type { GuardrailRule } from '../../../core-wasm/core.ts';
import { type Bench, createBench, type Process, turns, WORKSPACE } from '../test-bench.ts';
import { type Explanation, explainCommand } from './explain.ts';
import type { CommandReader } from './shell/command-reader.ts';

const PUSHES: CommandReader = {
  read: () => ({
    classes: ['git_push'],
    findings: [{ effect: 'git_push', because: 'git push sends commits to a remote' }],
    understood: true,
  }),
};
const deny: GuardrailRule = {
  ...{ id: 'grl_1', scope: 'workspace', scopeId: null, effect: 'git_push', action: 'deny' },
};

describe('a command line', () => {
  const explain = (more: Partial<Parameters<typeof explainCommand>[1]> = {}) =>
    explainCommand(PUSHES, {
      ...{ line: 'git push', mode: 'chat', autonomy: 'actWithApproval', rules: [], worktree: '/w' },
      ...more,
    });

  test('is explained with the rule that decides and what in it has which effect', () => {
    const { findings } = PUSHES.read('');
    expect(explain()).toEqual({
      ...{ command: 'git push', decision: 'ask', classes: ['git_push'], findings, understood: true },
      offered: true,
      rule: { kind: 'default', effect: 'git_push', action: 'ask' },
      reason: "git_push needs a person's approval, by default.",
    });
    expect(explain({ rules: [deny] })).toMatchObject({ decision: 'deny', rule: { id: 'grl_1' } });
  });

  test('is denied by a read-only mode and by a space that only proposes, and let through by one that acts freely', () => {
    expect(explain({ mode: 'plan' })).toMatchObject({ decision: 'deny', rule: { kind: 'mode' } });
    const reading = { read: () => ({ classes: [], findings: [], understood: true }) };
    const inPlan = {
      line: 'ls',
      mode: 'plan',
      autonomy: 'actWithApproval',
      rules: [],
      worktree: '/w',
    } as const;
    expect(explainCommand(reading, inPlan)).toMatchObject({ decision: 'allow', offered: false });
    expect(explainCommand(reading, inPlan).reason).toContain('offers no run_command in plan mode');
    const proposes = explain({ autonomy: 'proposeOnly' });
    expect(proposes).toMatchObject({ decision: 'deny', rule: { kind: 'autonomy' } });
    expect(explain({ autonomy: 'actFreely' }).decision).toBe('allow');
    expect(explain({ autonomy: 'actFreely', rules: [deny] }).decision).toBe('deny');
  });
});

describe('POST …/policy/explain', () => {
  let bench: Bench;
  afterEach(() => bench.close());

  async function open() {
    bench = await createBench(turns());
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const { space } = bench.spaces.addConversation('chat');
    const process = await bench.process();
    return { process, agentId, spaceId: space.id };
  }
  const explain = (process: Process, body: Record<string, unknown>) =>
    process.json<Explanation>('POST', `${WORKSPACE}/policy/explain`, body, 'person:mem_ada');

  test("says what the workspace's rules make of a command or a call, where it would be made", async () => {
    const { process, agentId, spaceId } = await open();
    expect(await explain(process, { command: 'git push' })).toMatchObject({ decision: 'ask' });
    bench.spaces.policy.setRule('space', spaceId, 'git_push', 'deny');
    expect(await explain(process, { command: 'git push' })).toMatchObject({ decision: 'ask' });
    const there = { agentId, spaceId };
    expect(await explain(process, { command: 'git push', ...there })).toMatchObject({
      ...{ command: 'git push', decision: 'deny', rule: { kind: 'rule', scope: 'space' } },
    });
    const asTool = { tool: 'run_command', input: { command: 'git push' } };
    expect(await explain(process, { ...asTool, ...there })).toMatchObject({
      ...{ command: 'git push', decision: 'deny' },
    });
    const write = { tool: 'write_file', input: { path: 'a', content: 'b' } };
    expect(await explain(process, { ...write, ...there })).toMatchObject({
      ...{ command: null, decision: 'allow', classes: ['file_write'], findings: [] },
    });
    expect(await explain(process, { ...write, ...there, mode: 'review' })).toMatchObject({
      decision: 'deny',
    });
    expect(bench.spaces.approvals.size).toBe(0);
  });

  test('takes no question that is not one', async () => {
    const { process } = await open();
    for (const [body, word] of [
      [{}, 'either a command'],
      [{ command: 'ls', tool: 'write_file', input: {} }, 'either a command'],
      [{ tool: 'fly', input: {} }, 'There is no tool'],
      [{ tool: 'write_file', input: { path: 3 } }, 'path'],
    ] as const) {
      const response = await process.call('POST', `${WORKSPACE}/policy/explain`, body);
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(word)]);
    }
  });
});
