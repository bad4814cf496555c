import { backEdges, type Columns, cycleOf } from './graph.ts';
import { type Json, joinPath } from './json.ts';
import { PROPOSAL_LIMITS } from './proposal.ts';
import type { ProposalFault } from './proposal-fault.ts';

/** A key and where it stands. Places are read from input of any shape, so that every fault is found in one go. */
export interface Place {
  key: string;
  path: string;
}

/** What the pieces of work are called, in paths and in words. */
export interface WorkNoun {
  list: 'tickets' | 'nodes';
  one: 'ticket' | 'node';
}

interface Work extends Place {
  needs: Place[];
}

type Fields = Record<string, Json | undefined>;

export const fields = (value: Json | undefined): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
export const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export function place(value: Json | undefined, path: string): Place[] {
  return typeof value === 'string' ? [{ key: value, path }] : [];
}

function readWork(value: Json | undefined, noun: WorkNoun): Work[] {
  return list(value).flatMap((entry, i) => {
    const path = joinPath(noun.list, i);
    const { key, needs } = fields(entry);
    const needed = list(needs).flatMap((need, j) => place(need, `${path}.needs[${j}]`));
    return place(key, `${path}.key`).map((own) => ({ ...own, needs: needed }));
  });
}

/** Faults of keys that are the same, or the same but for upper and lower case. */
export function collisions(places: readonly Place[], what: string): ProposalFault[] {
  const first = new Map<string, Place>();
  const faults: ProposalFault[] = [];
  for (const { key, path } of places) {
    const other = first.get(key.toLowerCase());
    if (other === undefined) first.set(key.toLowerCase(), { key, path });
    else if (other.key === key)
      faults.push({
        path,
        code: 'duplicate_key',
        message: `${what} "${key}" is already at ${other.path}; rename one`,
      });
    else
      faults.push({
        path,
        code: 'case_collision',
        message: `${what} "${key}" differs from "${other.key}" at ${other.path} in case alone; rename one`,
      });
  }
  return faults;
}

/** Faults of single needs: of itself, of work that is not there, named twice. */
function needFaults(works: readonly Work[], noun: WorkNoun): ProposalFault[] {
  const known = new Set(works.map((work) => work.key));
  return works.flatMap((work) => {
    const seen = new Set<string>();
    return work.needs.flatMap(({ key, path }): ProposalFault[] => {
      const again = seen.has(key);
      seen.add(key);
      if (again) return [{ path, code: 'duplicate_key', message: `"${key}" is needed twice; take one out` }];
      if (key === work.key)
        return [{ path, code: 'self_dependency', message: `"${key}" needs itself; take this need out` }];
      if (known.has(key)) return [];
      const message = `no ${noun.one} has the key "${key}"; name one of ${noun.list}[].key`;
      return [{ path, code: 'unknown_key', message }];
    });
  });
}

interface NeedGraph extends Columns {
  keys: string[];
  /** Path of each need. */
  paths: string[];
}

/** The part of the graph whose keys are sound: first works of a key, needs of others that exist. */
function needGraph(works: readonly Work[]): NeedGraph {
  const at = new Map<string, number>();
  const distinct = works.filter(({ key }) => !at.has(key) && at.set(key, at.size));
  const need: number[] = [];
  const paths: string[] = [];
  const needOff = [0];
  for (const work of distinct) {
    for (const { key, path } of work.needs) {
      const u = at.get(key);
      if (u === undefined || key === work.key) continue;
      need.push(u);
      paths.push(path);
    }
    needOff.push(need.length);
  }
  return { keys: [...at.keys()], paths, needOff: Int32Array.from(needOff), need: Int32Array.from(need) };
}

const SHOWN_OF_CYCLE = 12;

/** A long cycle is cut in the middle: ten thousand of them must not make a message of megabytes. */
function showCycle(keys: readonly string[]): string {
  if (keys.length <= SHOWN_OF_CYCLE) return keys.join(' → ');
  const left = keys.length - SHOWN_OF_CYCLE;
  return [...keys.slice(0, 6), `(${left} more)`, ...keys.slice(-6)].join(' → ');
}

function cycleFaults(works: readonly Work[]): ProposalFault[] {
  const graph = needGraph(works);
  const { edges, from } = backEdges(graph);
  return edges.map((edge) => {
    const cycle = showCycle(cycleOf(edge, from).map((node) => graph.keys[node]!));
    return {
      path: graph.paths[edge.at]!,
      code: 'cycle',
      message: `closes the circle ${cycle} (each needs the next); take this need or another of the circle out`,
    };
  });
}

function limitFaults(works: readonly Work[], noun: WorkNoun): ProposalFault[] {
  const needs = works.reduce((sum, work) => sum + work.needs.length, 0);
  if (needs <= PROPOSAL_LIMITS.needs) return [];
  const message = `${needs} needs in all, ${PROPOSAL_LIMITS.needs} are allowed; group ${noun.list}`;
  return [{ path: noun.list, code: 'too_large', message }];
}

/** Every fault of the keys of works and of what they need, `value` being the list of them. */
export function workFaults(value: Json | undefined, noun: WorkNoun): ProposalFault[] {
  const works = readWork(value, noun);
  const limits = limitFaults(works, noun);
  const cycles = limits.length === 0 ? cycleFaults(works) : [];
  return [...collisions(works, noun.one), ...needFaults(works, noun), ...limits, ...cycles];
}
