import {
  capabilityProfile,
  combineVerdict,
  estimate,
  estimateNodes,
  MODES,
  materialize,
  orderGraph,
  pipelineJson,
  toolSurface,
  VERDICTS,
  validateProposal,
} from '../../core-wasm/core.ts';
import { Generator } from '../../core-wasm/reference/generate.ts';

export interface CoreDigest {
  plans: number;
  /** SHA-256 over every answer, hex. */
  digest: string;
}

const PLANS = 400;
const DRAWS = 50;

/** What the core says about one generated plan, as text. */
function answers(seed: number): string[] {
  const { proposal, roles, histories } = new Generator(seed).plan(40);
  const checked = validateProposal(proposal);
  if (!checked.ok) return [JSON.stringify(checked.faults)];
  const pipeline = materialize(checked.proposal, roles);
  const circle = proposal.tickets.map(({ key }, i, all) => ({
    key,
    needs: [all[(i + 1) % all.length]!.key],
  }));
  const tools = MODES.map((name, i) => ({
    name,
    tier: (['read', 'write', 'execute'] as const)[i % 3]!,
    effects: [],
  }));
  const gated = seed % 2 === 0;
  return [
    pipelineJson(pipeline),
    JSON.stringify(estimate(estimateNodes(checked.proposal), histories, { draws: DRAWS, seed })),
    JSON.stringify(orderGraph(circle)),
    toolSurface(capabilityProfile(MODES[seed % 4]!), tools).join(),
    combineVerdict(VERDICTS[seed % 3]!, [{ axis: 'tests', result: 'partial', gated }]),
  ];
}

/** Puts the same generated plans through the core on whatever runtime this is. */
export async function coreDigestOfPlans(): Promise<CoreDigest> {
  const text = Array.from({ length: PLANS }, (_, seed) => answers(seed))
    .flat()
    .join('\n');
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return { plans: PLANS, digest: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
