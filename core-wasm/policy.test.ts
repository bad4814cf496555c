import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  APPROVAL_TIERS,
  AUTONOMY,
  type Autonomy,
  capabilityProfile,
  decideCall,
  decideEffects,
  defaultAction,
  EFFECT_CLASSES,
  type EffectClass,
  type GuardrailRule,
  MODES,
  RULE_ACTIONS,
  RULE_SCOPES,
  roomMode,
  type ToolFacts,
} from './core.ts';

const effects = fc.subarray([...EFFECT_CLASSES]);
const rule: fc.Arbitrary<GuardrailRule> = fc.record({
  id: fc.stringMatching(/^rul_[a-z]{3}$/),
  scope: fc.constantFrom(...RULE_SCOPES),
  scopeId: fc.constantFrom('x', null),
  effect: fc.constantFrom(...EFFECT_CLASSES),
  action: fc.constantFrom(...RULE_ACTIONS),
});
const tool: fc.Arbitrary<ToolFacts> = fc.record({
  name: fc.constantFrom(
    'submit_plan',
    'propose_orchestration',
    'ask_user',
    'exit_plan_mode',
    'run_command',
    'x',
  ),
  tier: fc.constantFrom(...APPROVAL_TIERS),
  effects,
});
const profile = fc.constantFrom(...MODES).map(capabilityProfile);
const question = fc
  .record({
    profiles: fc.array(profile, { minLength: 1, maxLength: 2 }),
    tool,
    effects,
    rules: fc.array(rule, { maxLength: 12 }),
    autonomy: fc.constantFrom(...AUTONOMY),
  })
  .map((drawn) => ({ ...drawn, tier: drawn.tool.tier }));

/** What the rules say of one class, as the specification reads. */
function ruledAction(effect: EffectClass, rules: readonly GuardrailRule[]): string[] {
  const mine = rules.filter((one) => one.effect === effect);
  if (mine.some((one) => one.action === 'deny')) return ['deny'];
  for (const scope of ['space', 'agent', 'workspace']) {
    const scoped = mine.filter((one) => one.scope === scope);
    if (scoped.length > 0) return scoped.map((one) => one.action);
  }
  return [defaultAction(effect)];
}

describe('a call', () => {
  test('whose class a mode denies is denied, whatever the rules and the autonomy say', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const isPinned = asked.profiles[0]!.pinned.includes(asked.tool.name);
        const denied = asked.profiles.some(({ deniedEffects }) =>
          asked.effects.some((effect) => deniedEffects.includes(effect)),
        );
        fc.pre(!isPinned && denied);
        expect(decideCall(asked)).toMatchObject({ decision: 'deny', rule: { kind: 'mode' } });
      }),
    );
  });

  test('that the mode pins is never refused nor asked', () => {
    fc.assert(
      fc.property(question, (asked) => {
        for (const name of asked.profiles[0]!.pinned) {
          const { decision } = decideCall({ ...asked, tool: { ...asked.tool, name } });
          expect(decision).toBe('allow');
        }
      }),
    );
  });

  test('in a space that only proposes reads and nothing else', () => {
    fc.assert(
      fc.property(question, (asked) => {
        fc.pre(asked.tier !== 'read' && !asked.profiles[0]!.pinned.includes(asked.tool.name));
        expect(decideCall({ ...asked, autonomy: 'proposeOnly' }).decision).toBe('deny');
      }),
    );
  });
});

describe('the rules of a call in chat', () => {
  const chat = [capabilityProfile('chat')];
  const decide = (found: EffectClass[], rules: GuardrailRule[], autonomy: Autonomy) =>
    decideEffects({ profiles: chat, tier: 'execute', effects: found, rules, autonomy });

  test('deny at any scope, else the most specific decides, else the default; deny before ask before allow', () => {
    fc.assert(
      fc.property(effects, fc.array(rule, { maxLength: 10 }), (found, rules) => {
        const once = rules.filter(
          (one, i) =>
            rules.findIndex((other) => other.scope === one.scope && other.effect === one.effect) === i,
        );
        const actions = found.flatMap((effect) => ruledAction(effect, once));
        const wanted = ['deny', 'ask', 'allow'].find((action) => actions.includes(action)) ?? 'allow';
        const judged = decide(found, once, 'actWithApproval');
        expect(judged.decision).toBe(wanted as typeof judged.decision);
        expect(judged.classes).toEqual(found);
        const asked = found.filter((effect) => ruledAction(effect, once)[0] === 'ask');
        expect(judged.asked).toEqual(wanted === 'ask' ? asked : []);
        const free = decide(found, once, 'actFreely').decision;
        expect(free).toBe(wanted === 'deny' ? 'deny' : 'allow');
      }),
    );
  });

  test('name the rule that decided', () => {
    const deny: GuardrailRule = {
      ...{ id: 'rul_1', scope: 'workspace', scopeId: null, effect: 'git_push', action: 'deny' },
    };
    const allow: GuardrailRule = { ...deny, id: 'rul_2', scope: 'space', scopeId: 'spc_1', action: 'allow' };
    expect(decide(['git_push'], [allow, deny], 'actFreely')).toMatchObject({
      decision: 'deny',
      rule: { kind: 'rule', id: 'rul_1' },
      reason: 'git_push is denied by the rule rul_1 of the workspace.',
    });
    expect(decide(['git_push'], [allow], 'actWithApproval')).toMatchObject({
      decision: 'allow',
      rule: { kind: 'rule', id: 'rul_2' },
    });
    expect(decide(['git_push'], [], 'actWithApproval')).toMatchObject({
      decision: 'ask',
      asked: ['git_push'],
      rule: { kind: 'default', effect: 'git_push', action: 'ask' },
    });
  });

  test('are not reached without a profile', () => {
    const nobody = { profiles: [], tier: 'read', effects: [], rules: [], autonomy: 'actFreely' } as const;
    expect(decideEffects(nobody).decision).toBe('deny');
  });
});

test('a room takes its mode from its extras only when they pin chat, review or plan exactly', () => {
  expect(['chat', 'review', 'plan'].map((mode) => roomMode({ mode }, 'orchestrate'))).toEqual([
    ...(['chat', 'review', 'plan'] as const),
  ]);
  const ignored = [
    'orchestrate',
    'Chat',
    ' chat',
    'chat ',
    'CHAT',
    '',
    'pläne',
    null,
    1,
    true,
    ['chat'],
    { mode: 'chat' },
  ];
  for (const mode of ignored) expect(roomMode({ mode }, 'review')).toBe('review');
  expect(roomMode({}, 'review')).toBe('review');
  expect(roomMode(Object.create({ mode: 'chat' }), 'review')).toBe('review');
});
