import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  APPROVAL_TIERS,
  type AxisResult,
  baseVerdict,
  type CapabilityProfile,
  CoreError,
  capabilityProfile,
  combineVerdict,
  EFFECT_CLASSES,
  isCallAllowed,
  MODES,
  type ToolFacts,
  toolSurface,
  VERDICTS,
} from './core.ts';
import { referenceCombine, referenceSurface } from './reference/decisions.ts';

const NAMES = [
  'ask_user',
  'submit_plan',
  'exit_plan_mode',
  'propose_orchestration',
  'read_file',
  'post_message',
  'x',
  'y',
];

const tools: fc.Arbitrary<ToolFacts[]> = fc.array(
  fc.record({
    name: fc.constantFrom(...NAMES),
    tier: fc.constantFrom(...APPROVAL_TIERS),
    effects: fc.uniqueArray(fc.constantFrom(...EFFECT_CLASSES), { maxLength: 3 }),
  }),
  { maxLength: 50 },
);
const names = fc.uniqueArray(fc.constantFrom(...NAMES));
const profiles: fc.Arbitrary<CapabilityProfile> = fc.oneof(
  fc.constantFrom(...MODES).map(capabilityProfile),
  fc
    .record({
      maxTier: fc.constantFrom(...APPROVAL_TIERS),
      allowList: fc.option(names),
      denyList: names,
      pinned: names,
      deniedEffects: fc.uniqueArray(fc.constantFrom(...EFFECT_CLASSES)),
    })
    .map((fields) => ({ ...capabilityProfile('review'), ...fields })),
);
const parents = fc.option(
  names.map((list) => new Set(list)),
  { nil: undefined },
);

test('the surface equals the reference, lies within its parent and holds every pinned tool', () => {
  fc.assert(
    fc.property(profiles, tools, parents, (profile, list, parent) => {
      const shown = toolSurface(profile, list, parent);
      expect(shown).toEqual(referenceSurface(profile, list, parent));
      for (const name of shown) expect(parent?.has(name) ?? true).toBe(true);
      for (const { name } of list)
        if (profile.pinned.includes(name) && (parent?.has(name) ?? true)) expect(shown).toContain(name);
    }),
    { numRuns: 3000 },
  );
});

test('a child surface is never wider than its parent, whatever the two modes', () => {
  fc.assert(
    fc.property(profiles, profiles, tools, (outer, inner, list) => {
      const parent = new Set(toolSurface(outer, list));
      for (const name of toolSurface(inner, list, parent)) expect(parent.has(name)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('a call is allowed only for a tool of the surface and effects that the mode does not deny', () => {
  const effects = fc.uniqueArray(fc.constantFrom(...EFFECT_CLASSES));
  fc.assert(
    fc.property(profiles, tools, effects, (profile, list, actual) => {
      for (const tool of list) {
        const onSurface = toolSurface(profile, [tool]).length === 1;
        const harmless = !actual.some((effect) => profile.deniedEffects.includes(effect));
        const pinned = profile.pinned.includes(tool.name);
        expect(isCallAllowed(profile, tool, actual).allowed).toBe(pinned || (onSurface && harmless));
      }
    }),
    { numRuns: 1000 },
  );
});

test('the profiles are those of the mode table', () => {
  const table = MODES.map((mode) => {
    const { label, worktree, maxTier, exitVerb, userSelectable, deniedEffects } = capabilityProfile(mode);
    return [mode, label, worktree, maxTier, exitVerb, userSelectable, deniedEffects.length];
  });
  expect(table).toEqual([
    ['chat', 'Agent', 'writable', 'execute', null, true, 0],
    ['review', 'Review', 'read-only', 'write', null, false, 11],
    ['plan', 'Plan', 'read-only', 'read', 'submit_plan', true, 11],
    ['orchestrate', 'Orchestrate', 'read-only', 'read', 'propose_orchestration', true, 11],
  ]);
  for (const mode of MODES) {
    const profile = capabilityProfile(mode);
    expect(Object.isFrozen(profile) && Object.isFrozen(profile.pinned)).toBe(true);
    expect(profile.pinned).toContain('ask_user');
    if (profile.exitVerb) expect(profile.pinned).toContain(profile.exitVerb);
    expect(profile.deniedEffects).not.toContain('network_egress');
  }
  expect(() => capabilityProfile('admin' as never)).toThrow();
});

test('no read-only mode shows a tool that changes the worktree or runs commands', () => {
  const mutating: ToolFacts[] = [
    { name: 'write_file', tier: 'write', effects: ['file_write'] },
    { name: 'edit_file', tier: 'write', effects: ['file_write'] },
    { name: 'delete_file', tier: 'write', effects: ['file_delete'] },
    { name: 'git_commit', tier: 'write', effects: ['git_commit'] },
    { name: 'run_command', tier: 'execute', effects: ['process_launch'] },
  ];
  for (const mode of ['review', 'plan', 'orchestrate'] as const)
    expect(toolSurface(capabilityProfile(mode), mutating)).toEqual([]);
  expect(toolSurface(capabilityProfile('chat'), mutating)).toHaveLength(5);
});

test('an unknown tier or effect class is an error for a surface and a refusal for a call', () => {
  const odd = { name: 'x', tier: 'read', effects: ['teleport'] } as unknown as ToolFacts;
  const plan = capabilityProfile('plan');
  expect(() => toolSurface(plan, [odd])).toThrow(CoreError);
  expect(() => toolSurface(plan, [{ name: 'x', tier: 'root' as never, effects: [] }])).toThrow(CoreError);
  expect(isCallAllowed(plan, odd, [])).toMatchObject({ allowed: false });
  expect(isCallAllowed(plan, { ...odd, effects: [] }, ['teleport' as never])).toMatchObject({
    allowed: false,
  });
});

const axis: fc.Arbitrary<AxisResult> = fc.record({
  axis: fc.string(),
  result: fc.constantFrom('pass', 'fail', 'partial', 'unavailable'),
  gated: fc.boolean(),
});
const axesOf = fc.array(axis, { maxLength: 80 });
const base = fc.constantFrom(...VERDICTS);

test('the combined verdict equals the reference and only ever gets more severe', () => {
  fc.assert(
    fc.property(base, axesOf, axis, (from, axes, more) => {
      const verdict = combineVerdict(from, axes);
      expect(verdict).toBe(referenceCombine(from, axes));
      expect(VERDICTS.indexOf(verdict)).toBeGreaterThanOrEqual(VERDICTS.indexOf(from));
      const worse = combineVerdict(from, [...axes, more]);
      expect(VERDICTS.indexOf(worse)).toBeGreaterThanOrEqual(VERDICTS.indexOf(verdict));
      expect(combineVerdict(from, axes.toReversed())).toBe(verdict);
    }),
    { numRuns: 3000 },
  );
});

test('any error in the combiner is a block', () => {
  const pass = { axis: 's', result: 'pass', gated: true } as const;
  expect(combineVerdict('ship', [pass])).toBe('ship');
  expect(combineVerdict('maybe' as never, [pass])).toBe('block');
  for (const bad of [
    { ...pass, result: 'toString' },
    { ...pass, result: undefined },
    { ...pass, gated: 'no' },
    null,
  ])
    expect(combineVerdict('ship', [pass, bad as never])).toBe('block');
  expect(combineVerdict('ship', null as never)).toBe('block');
});

test('the base verdict follows the findings and does not depend on their order', () => {
  const finding = (priority: 0 | 1 | 2 | 3, confidence: number) => ({ priority, confidence });
  expect(baseVerdict([])).toEqual({ verdict: 'ship', confidence: 1 });
  expect(baseVerdict([finding(0, 0.7)])).toEqual({ verdict: 'block', confidence: 1 });
  expect(baseVerdict([finding(0, 0.69)]).verdict).toBe('hold');
  expect(baseVerdict([finding(1, 0)]).verdict).toBe('hold');
  expect(baseVerdict([finding(2, 1), finding(3, 0)])).toEqual({ verdict: 'ship', confidence: 0.5 });
  expect(baseVerdict([finding(0, 1), finding(0, 0.8)]).confidence).toBeCloseTo(0.9, 12);
  const findings = fc.array(
    fc.record({
      priority: fc.constantFrom(0, 1, 2, 3),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(findings, (list) => {
      const result = baseVerdict(list);
      expect(baseVerdict(list.toReversed())).toEqual(result);
      expect(result.confidence >= 0.5 && result.confidence <= 1).toBe(true);
    }),
    { numRuns: 1000 },
  );
  expect(() => baseVerdict([finding(0, Number.NaN)])).toThrow(CoreError);
  expect(() => baseVerdict([finding(4 as never, 1)])).toThrow(CoreError);
});
