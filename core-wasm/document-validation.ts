import type { z } from 'zod';
import { type Json, joinPath, snapshotJson } from './json.ts';
import type { ProposalFault, ProposalFaultCode } from './proposal-fault.ts';

/** What a document of agents is judged by. */
export interface DocumentRules<Document> {
  noun: 'proposal' | 'plan';
  schema: z.ZodType<Document>;
  /** UTF-8 bytes of all its texts and keys together. */
  textBytes: number;
  /** The most entries of each of its lists. */
  lists: Readonly<Record<string, number>>;
  /** Faults of names and of what refers to them. */
  outline(value: Json): ProposalFault[];
}

export type Judged<Document> = { ok: true; document: Document } | { ok: false; faults: ProposalFault[] };

/** Far above what a sound document has, so that a hostile one is not copied. */
const SNAPSHOT_LIMITS = { values: 200_000, depth: 64 } as const;

type Issue = z.core.$ZodIssue;

function shownPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => joinPath(text, typeof key === 'number' ? key : String(key)), '');
}

function issueCode(issue: Issue): ProposalFaultCode {
  if (issue.code === 'too_big') return 'too_large';
  if (issue.code !== 'too_small') return 'invalid';
  return issue.origin === 'string' || issue.origin === 'array' ? 'empty' : 'invalid';
}

/** Of a union's branches, the one that the input came furthest into says what to mend. */
function branchOf(issue: Issue & { code: 'invalid_union' }): Issue[] {
  const depth = (issues: readonly Issue[]): number => Math.max(0, ...issues.map(({ path }) => path.length));
  const branches = issue.errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
  const best = branches[0] ?? [];
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toFaults(issue: Issue, noun: string): ProposalFault[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0)
    return branchOf(issue).flatMap((inner) => toFaults(inner, noun));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: joinPath(shownPath(issue.path), key.slice(0, 80)),
      code: 'invalid',
      message: `is not a field of a ${noun}; take it out`,
    }));
  return [{ path: shownPath(issue.path), code: issueCode(issue), message: issue.message }];
}

/** One fault for each place and code; faults of the keys, which say more, first. */
function distinct(faults: readonly ProposalFault[]): ProposalFault[] {
  const seen = new Set<string>();
  return faults.filter(({ path, code }) => {
    const id = `${code} ${path}`;
    return !seen.has(id) && seen.add(id);
  });
}

/** Lists too long to be looked into one by one; nothing else is said about such a document. */
function oversized(value: Json, lists: Readonly<Record<string, number>>): ProposalFault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(lists).flatMap(([path, limit]) => {
    const entries = value[path];
    const length = Array.isArray(entries) ? entries.length : 0;
    if (length <= limit) return [];
    const message = `${length} ${path}, ${limit} are allowed; group or drop some`;
    return [{ path, code: 'too_large' as const, message }];
  });
}

/**
 * Reads a document of unknown origin. Gives it with its defaults filled in, or every fault with its path, so that all can
 * be mended in one go; only a document above the limits gets none but those. Never throws.
 */
export function judgeDocument<Document>(input: unknown, rules: DocumentRules<Document>): Judged<Document> {
  const { noun, schema, textBytes, lists, outline } = rules;
  const snapshot = snapshotJson(input, { ...SNAPSHOT_LIMITS, textBytes });
  if ('path' in snapshot) return { ok: false, faults: [snapshot] };
  const large = oversized(snapshot.value, lists);
  if (large.length > 0) return { ok: false, faults: large };
  const parsed = schema.safeParse(snapshot.value);
  const shape = parsed.success ? [] : parsed.error.issues.flatMap((issue) => toFaults(issue, noun));
  const faults = distinct([...snapshot.faults, ...outline(snapshot.value), ...shape]);
  return parsed.success && faults.length === 0 ? { ok: true, document: parsed.data } : { ok: false, faults };
}
