import { CoreError } from './errors.ts';
import { backEdges, type Columns, cycleOf } from './graph.ts';

export interface EstimateNode {
  key: string;
  /** Null, like a role without history, makes the node unknown. */
  role: string | null;
  needs: readonly string[];
}

/** A graph by position in the input: nothing is sorted, since an estimate does not depend on the order of keys. */
export interface IndexedGraph extends Columns {
  keys: string[];
  indexOf: Map<string, number>;
  /** Position in roleNames of each node's role. */
  role: Int32Array;
  /** Role 0 is null: no role, no history. */
  roleNames: (string | null)[];
}

function addRoles(nodes: readonly EstimateNode[]): Pick<IndexedGraph, 'role' | 'roleNames'> {
  const roleNames: (string | null)[] = [null];
  const at = new Map<string, number>();
  const role = new Int32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const name = nodes[i]!.role;
    if (name === null) continue;
    let row = at.get(name);
    if (row === undefined) {
      row = roleNames.push(name) - 1;
      at.set(name, row);
    }
    role[i] = row;
  }
  return { role, roleNames };
}

function addKeys(nodes: readonly EstimateNode[]): Pick<IndexedGraph, 'keys' | 'indexOf' | 'needOff'> {
  const keys = new Array<string>(nodes.length);
  const indexOf = new Map<string, number>();
  const needOff = new Int32Array(nodes.length + 1);
  let end = 0;
  for (let i = 0; i < nodes.length; i++) {
    const { key, needs } = nodes[i]!;
    keys[i] = key;
    indexOf.set(key, i);
    if (indexOf.size !== i + 1)
      throw new CoreError('BAD_ARGUMENT', `nodes[${i}].key: "${key}" is used twice`);
    end += needs.length;
    needOff[i + 1] = end;
  }
  return { keys, indexOf, needOff };
}

/** Throws BAD_ARGUMENT for a key used twice or a need that is no node. */
export function indexGraph(nodes: readonly EstimateNode[]): IndexedGraph {
  const { keys, indexOf, needOff } = addKeys(nodes);
  const need = new Int32Array(needOff[nodes.length]!);
  let at = 0;
  for (let i = 0; i < nodes.length; i++) {
    const { needs } = nodes[i]!;
    for (let j = 0; j < needs.length; j++) {
      const u = indexOf.get(needs[j]!);
      if (u === undefined)
        throw new CoreError('BAD_ARGUMENT', `nodes[${i}].needs[${j}]: no node "${needs[j]}"`);
      need[at++] = u;
    }
  }
  return { keys, indexOf, needOff, need, ...addRoles(nodes) };
}

/** The error for a graph that the kernel found to have a cycle, with the whole path. */
export function cycleError(graph: IndexedGraph): CoreError {
  const { edges, from } = backEdges(graph);
  const path = cycleOf(edges[0]!, from).map((node) => graph.keys[node]!);
  return new CoreError('CYCLE', path.join(' → '));
}
