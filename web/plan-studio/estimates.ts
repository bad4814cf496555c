import type * as CoreModule from '../../core-wasm/core.ts';
import type { Estimate, Proposal, RoleHistory } from '../../core-wasm/core.ts';

export type Core = Pick<typeof CoreModule, 'estimate' | 'estimateNodes' | 'partOf' | 'CoreError'>;

/** What of the core estimates need, fetched when the first plan is opened. */
export const loadCore = (): Promise<Core> => import('./estimates-core.ts');

/** The core's rules for proposals, fetched with the first edit: their schemas weigh more than all estimates. */
export async function loadRules(): Promise<Pick<typeof CoreModule, 'validateProposal'>> {
  // Before the schemas are made: they would otherwise try to compile code, which the page's policy forbids and logs.
  await import('./estimates-jitless.ts');
  return import('./estimates-rules.ts');
}

export type Histories = Readonly<Record<string, RoleHistory>>;

/** Shapes of a plan that several parts of the screen show at once. */
const KEPT = 4;
const kept = new WeakMap<Histories, Map<string, Estimate | null>>();

/**
 * The server's own computation, done once for all who show it. Null while the plan cannot be worked off: then there is no
 * longest path.
 */
export function estimateOf(core: Core, proposal: Proposal, histories: Histories): Estimate | null {
  const known = kept.get(histories) ?? new Map<string, Estimate | null>();
  kept.set(histories, known);
  const shape = shapeOf(proposal);
  const done = known.get(shape);
  if (done !== undefined) return done;
  const estimate = compute(core, proposal, histories);
  known.set(shape, estimate);
  for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
  return estimate;
}

function compute(core: Core, proposal: Proposal, histories: Histories): Estimate | null {
  try {
    return core.estimate(core.estimateNodes(proposal), histories);
  } catch (error) {
    // Why, the rules for proposals say.
    if (error instanceof core.CoreError) return null;
    throw error;
  }
}

/** What of a proposal an estimate depends on: whoever types a title need not wait for one. */
export function shapeOf({ tickets, roles, research, discussion, synthesis }: Proposal): string {
  return JSON.stringify([
    tickets.map(({ key, role, needs }) => [key, role, needs]),
    discussion && roles.map(({ key }) => key),
    research?.role,
    synthesis.role,
  ]);
}

/** The node whose duration varies most between p25 and p75: where a closer look pays off first. */
export function widestNode({ nodes }: Estimate): string | null {
  const spread = ({ durationMs }: Estimate['nodes'][number]) =>
    durationMs ? durationMs.p75 - durationMs.p25 : 0;
  const widest = nodes.reduce<Estimate['nodes'][number] | null>(
    (best, node) => (best && spread(best) >= spread(node) ? best : node),
    null,
  );
  return widest && spread(widest) > 0 ? widest.key : null;
}
