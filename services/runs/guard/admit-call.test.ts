import { expect, test } from 'bun:test';
import fc from 'fast-check';
import * as z from 'zod';
import {
  APPROVAL_TIERS,
  AUTONOMY,
  type CapabilityProfile,
  capabilityProfile,
  defaultAction,
  EFFECT_CLASSES,
  type EffectClass,
  type GuardrailRule,
  MODES,
  RULE_ACTIONS,
  RULE_SCOPES,
  type RuleAction,
  toolSurface,
} from '../../../core-wasm/core.ts';
import { type TestApproval, TestApprovals } from '../test-approvals.ts';
import { EVERY_TOOL } from '../tools/every-tool.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { createPolicyBench, type PolicyBench, SECRET, sign } from './test-doubles/policy-bench.ts';

const Anything = z.looseObject({});
const someEffects = fc.uniqueArray(fc.constantFrom(...EFFECT_CLASSES), { maxLength: 3 });

const invented = fc
  .record({ tier: fc.constantFrom(...APPROVAL_TIERS), effects: someEffects, n: fc.nat(9) })
  .map(({ tier, effects, n }) =>
    defineTool({
      ...{ name: `invented_${n}`, description: 'Invented.', input: Anything, tier, effects },
      ...{ keyed: false, needs: null, run: async () => 'done' },
    }),
  );
/** A real tool whose calls have only some of the effects it declares, as a command line has. */
const real = fc.record({ tool: fc.constantFrom(...EVERY_TOOL), mask: fc.nat(0xffff) }).map(
  ({ tool, mask }): Tool => ({
    ...tool,
    faultOf: () => null,
    effectsOf: async () => tool.effects.filter((_, bit) => (mask >> bit) % 2 === 1),
  }),
);

const PROFILES = MODES.map((mode) => capabilityProfile(mode));
const profile: fc.Arbitrary<CapabilityProfile> = fc.oneof(
  fc.constant(capabilityProfile('chat')),
  fc.constantFrom(...PROFILES),
  fc
    .record({
      base: fc.constantFrom(...PROFILES),
      maxTier: fc.constantFrom(...APPROVAL_TIERS),
      deniedEffects: someEffects,
      denyList: fc.uniqueArray(fc.constantFrom('invented_1', 'read_file', 'run_command')),
      pinned: fc.uniqueArray(fc.constantFrom('ask_user', 'invented_0', 'submit_plan')),
    })
    .map(({ base, ...drawn }) => ({ ...base, ...drawn })),
);

const rule: fc.Arbitrary<GuardrailRule> = fc
  .record({
    id: fc.nat(999),
    scope: fc.constantFrom(...RULE_SCOPES),
    effect: fc.constantFrom(...EFFECT_CLASSES),
    action: fc.constantFrom(...RULE_ACTIONS),
  })
  .map(({ id, scope, ...rest }) => {
    const scopeId = { workspace: null, agent: 'agt_1', space: 'spc_1' }[scope];
    return { id: `grl_${id}`, scope, scopeId, ...rest };
  });

const INPUTS = [{ a: 1 }, { a: 2 }, { a: SECRET }, { a: '[redacted]' }, { [SECRET]: [SECRET, 1] }] as const;
/** `callId`: mostly its own, else that of another call, as a careless model server gives it. */
const call = fc.record({
  which: fc.nat(7),
  callId: fc.oneof(fc.uuid(), fc.constantFrom('call_1', 'call_2')),
  input: fc.constantFrom(...INPUTS),
  person: fc.constantFrom('approves', 'approvesForRun', 'refuses', 'is slow', 'is away'),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

const laws = fc.record({
  own: profile,
  present: fc.oneof(fc.constant('chat' as const), fc.constantFrom(...MODES)),
  rules: fc.uniqueArray(rule, { selector: ({ scope, effect }) => `${scope} ${effect}`, maxLength: 12 }),
  autonomy: fc.constantFrom('actWithApproval' as const, ...AUTONOMY),
});
type Laws = typeof laws extends fc.Arbitrary<infer T> ? T : never;

/** What the specification says of one effect class: a deny anywhere, else the most specific rule, else the default. */
function actionOf(effect: EffectClass, rules: readonly GuardrailRule[]): RuleAction {
  const mine = rules.filter((known) => known.effect === effect);
  if (mine.some(({ action }) => action === 'deny')) return 'deny';
  const by = (scope: string) => mine.find((known) => known.scope === scope)?.action;
  return by('space') ?? by('agent') ?? by('workspace') ?? defaultAction(effect);
}

function verdictOf(
  { own, present, rules, autonomy }: Laws,
  tool: Tool,
  effects: readonly EffectClass[],
): 'pinned' | RuleAction {
  if (own.pinned.includes(tool.name)) return 'pinned';
  const profiles = [own, ...(present === own.mode ? [] : [capabilityProfile(present)])];
  const isShown = profiles.every((known) => toolSurface(known, [tool]).length === 1);
  const isDenied = effects.some((effect) => profiles.some((known) => known.deniedEffects.includes(effect)));
  if (!isShown || isDenied || (autonomy === 'proposeOnly' && tool.tier !== 'read')) return 'deny';
  const actions = effects.map((effect) => actionOf(effect, rules));
  if (actions.includes('deny')) return 'deny';
  return actions.includes('ask') && autonomy !== 'actFreely' ? 'ask' : 'allow';
}

/** Makes one call, and again once the person has decided; true when it ran. */
async function play(bench: PolicyBench, tool: Tool, { callId, input, person }: Call): Promise<boolean> {
  bench.policy.isAttended = person !== 'is away';
  const made = { callId, name: tool.name, input };
  const before = bench.executed.length;
  let outcome = await bench.make(made);
  if ('waitingFor' in outcome && person !== 'is slow') {
    const heldBy = outcome.waitingFor;
    if (person === 'refuses') await bench.policy.decide(heldBy, 'refused');
    else await bench.policy.decide(heldBy, 'approved', person === 'approvesForRun' ? { grant: 'run' } : {});
    outcome = await bench.make({ ...made, heldBy });
  }
  const ran = bench.executed.length - before;
  expect(ran).toBe('ran' in outcome ? 1 : 0);
  return ran === 1;
}

test('whatever is drawn, only what the modes, the rules, the dial and people let through ever runs', async () => {
  const seen: Record<string, number> = {};
  const tools = fc.uniqueArray(fc.oneof(real, invented), {
    ...{ minLength: 1, maxLength: 8, selector: ({ name }) => name },
  });
  const parentAt = fc.option(fc.uniqueArray(fc.nat(7)), { nil: null, freq: 2 });
  await fc.assert(
    fc.asyncProperty(
      ...[laws, tools, parentAt, fc.array(call, { minLength: 1, maxLength: 6 })],
      async (drawn, all, kept, calls) => {
        const parent = kept && new Set(kept.flatMap((at) => all[at]?.name ?? []));
        const surface = toolSurface(drawn.own, all, parent ?? undefined);
        if (parent) expect(surface.filter((name) => !parent.has(name))).toEqual([]);
        expect(surface.filter((name) => toolSurface(drawn.own, all).indexOf(name) < 0)).toEqual([]);
        const bench = benchOf(drawn, all, surface);
        const known = new Set<string>();
        for (const made of calls) {
          const tool = all[made.which % all.length] as Tool;
          const kind = await judged(drawn, bench, tool, surface.includes(tool.name), made, known);
          seen[kind] = (seen[kind] ?? 0) + 1;
        }
        const told = [...bench.policy.all.values(), ...bench.cards];
        expect(JSON.stringify(told)).not.toContain(SECRET);
      },
    ),
    { numRuns: 2_000 },
  );
  // Each kind of case has really been drawn.
  const kinds = ['allow', 'ask ran', 'ask stopped', 'deny', 'off surface', 'pinned'];
  expect(Object.keys(seen).toSorted()).toEqual(kinds);
  for (const kind of kinds) expect([kind, (seen[kind] ?? 0) > 10]).toEqual([kind, true]);
});

function benchOf({ own, present, rules, autonomy }: Laws, tools: readonly Tool[], surface: string[]) {
  const policy = new TestApprovals(async () => undefined);
  policy.rules.push(...rules);
  const offered = tools.filter(({ name }) => surface.includes(name));
  return createPolicyBench({ profile: own, present, policy, tools: offered, guardrails: { autonomy } });
}

async function judged(
  drawn: Laws,
  bench: PolicyBench,
  tool: Tool,
  isOffered: boolean,
  made: Call,
  known: Set<string>,
): Promise<string> {
  const ran = await play(bench, tool, made);
  const isFirst = !known.has(made.callId);
  known.add(made.callId);
  if (!isOffered) {
    expect(ran).toBe(false);
    return 'off surface';
  }
  const effects = await tool.effectsOf(made.input, {} as never);
  const verdict = verdictOf(drawn, tool, effects);
  if (verdict !== 'ask') {
    expect([verdict, ran]).toEqual([verdict, verdict !== 'deny']);
    return verdict;
  }
  const own = [...bench.policy.all.values()].filter((approval) => isOf(approval, tool.name, made, effects));
  if (ran) expect(own).not.toEqual([]);
  // An id that another call had may stand for what was refused already.
  else if (isFirst) expect(made.person).not.toStartWith('approves');
  return ran ? 'ask ran' : 'ask stopped';
}

/** Whether it is an approval of exactly this call: what is shown, and what a secret in it really is. */
function isOf(
  { status, arguments: args }: TestApproval,
  tool: string,
  { input }: Call,
  classes: readonly EffectClass[],
): boolean {
  const text = JSON.stringify(input);
  const shown: unknown = JSON.parse(text.replaceAll(SECRET, '[redacted]'));
  const exact = text.includes(SECRET) ? sign(text) : undefined;
  const wanted = { tool, input: shown, classes: [...classes], ...(exact && { exact }) };
  const { asked, reason, ...rest } = args;
  return status === 'approved' && Bun.deepEquals(rest, wanted);
}
