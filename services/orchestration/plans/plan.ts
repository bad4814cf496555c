import { orderGraph } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { Bench } from '../bench.ts';
import { invalidProposal, type NamedFault } from '../orchestrations/check-proposal.ts';
import { requireOrigin } from '../origin.ts';
import { bounded } from '../text.ts';
import type { PlanDesk } from './routes.ts';
import type { Plan, PlanInput, PlanNode, PlanRow } from './schema.ts';
import type { PlanStore } from './store.ts';

/** Plan documents of `submit_plan`: stored once for each key, with a card in the conversation. */
export function createPlanDesk(bench: Bench, store: PlanStore): PlanDesk {
  return {
    async submit(workspaceId, actor, input) {
      const faults = graphFaults(input.nodes);
      if (faults.length > 0) throw invalidProposal(faults, 'plan');
      const id = await insertOnce(bench, store, workspaceId, actor, input);
      await postCard(bench, store, workspaceId, id);
      return get(store, workspaceId, id);
    },
    get: (workspaceId, id) => get(store, workspaceId, id),
  };
}

async function get(store: PlanStore, workspaceId: string, id: string): Promise<Plan> {
  const row = await store.find(workspaceId, id);
  if (!row) throw new Fault('not_found', `There is no plan ${JSON.stringify(id)} in this workspace.`);
  const { key, ...plan } = row;
  return plan;
}

async function insertOnce(
  bench: Bench,
  store: PlanStore,
  workspaceId: string,
  actor: Actor,
  input: PlanInput,
): Promise<string> {
  const { key = null, runId = null, ...rest } = input;
  const known = key === null ? null : await store.findByKey(workspaceId, key);
  if (known) return known.id;
  await requireOrigin(bench, workspaceId, input);
  const at = bench.clock();
  const row: PlanRow = {
    ...rest,
    id: newId('pln', at),
    key,
    runId,
    proposedBy: actor,
    messageId: null,
    createdAt: at,
  };
  try {
    await store.insert(workspaceId, row);
    return row.id;
  } catch (error) {
    const winner =
      key !== null && hasFaultCode(error, 'conflict') && (await store.findByKey(workspaceId, key));
    if (winner) return winner.id;
    throw error;
  }
}

/** Posts the plan's card unless it is recorded; its key makes a second call harmless. */
export async function postCard(
  bench: Bench,
  store: PlanStore,
  workspaceId: string,
  id: string,
): Promise<void> {
  const row = await store.find(workspaceId, id);
  if (!row || row.messageId !== null) return;
  const body = [
    `**Plan** · ${row.nodes.length} ${row.nodes.length === 1 ? 'node' : 'nodes'}`,
    bounded(row.goal, 2_000, 'The whole goal is in the plan.'),
  ].join('\n\n');
  const message = await bench.spaces(workspaceId).postMessage(row.proposedBy, row.conversationId, {
    ...{ key: `${id}/card`, kind: 'plan', body, data: { planId: id } },
  });
  await store.recordCard(workspaceId, id, message.id);
}

/** Every fault of the keys by path, and a cycle once the keys are sound. */
function graphFaults(nodes: readonly PlanNode[]): NamedFault[] {
  const first = new Map<string, number>();
  nodes.forEach(({ key }, i) => {
    if (!first.has(key)) first.set(key, i);
  });
  const faults = nodes.flatMap((node, i) => keyFaults(first, node, i));
  if (faults.length > 0) return faults;
  const ordering = orderGraph(nodes);
  if (ordering.ok || ordering.code !== 'cycle') return [];
  const path = `nodes[${first.get(ordering.path[0] ?? '')}].needs`;
  return [
    {
      path,
      code: 'cycle',
      message: `is in a cycle: ${ordering.path.join(' → ')}; take one of these needs out`,
    },
  ];
}

function keyFaults(first: ReadonlyMap<string, number>, node: PlanNode, i: number): NamedFault[] {
  const duplicate = first.get(node.key) !== i;
  const faults = node.needs.flatMap((need, j): NamedFault[] => {
    const path = `nodes[${i}].needs[${j}]`;
    if (need === node.key) return [{ path, code: 'self_dependency', message: 'a node cannot need itself' }];
    if (first.has(need)) return [];
    return [{ path, code: 'unknown_key', message: `there is no node ${JSON.stringify(need)}` }];
  });
  if (!duplicate) return faults;
  const message = `nodes[${first.get(node.key)}] has the key ${node.key} too; give each its own`;
  return [{ path: `nodes[${i}].key`, code: 'duplicate_key', message }, ...faults];
}
