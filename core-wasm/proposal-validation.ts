import type { z } from 'zod';
import { type Json, joinPath, snapshotJson } from './json.ts';
import { PROPOSAL_LIMITS, Proposal } from './proposal.ts';
import type { ProposalFault, ProposalFaultCode } from './proposal-fault.ts';
import { outlineFaults } from './proposal-outline.ts';

/** Far above what a sound proposal has, so that a hostile one is not copied. */
const SNAPSHOT_LIMITS = { textBytes: PROPOSAL_LIMITS.textBytes, values: 200_000, depth: 64 } as const;

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

function toFaults(issue: Issue): ProposalFault[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return branchOf(issue).flatMap(toFaults);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: joinPath(shownPath(issue.path), key.slice(0, 80)),
      code: 'invalid',
      message: 'is not a field of a proposal; take it out',
    }));
  return [{ path: shownPath(issue.path), code: issueCode(issue), message: issue.message }];
}

function shapeFaults(parsed: z.ZodSafeParseResult<Proposal>): ProposalFault[] {
  return parsed.success ? [] : parsed.error.issues.flatMap(toFaults);
}

/** One fault for each place and code; faults of the keys, which say more, first. */
function distinct(faults: readonly ProposalFault[]): ProposalFault[] {
  const seen = new Set<string>();
  return faults.filter(({ path, code }) => {
    const id = `${code} ${path}`;
    return !seen.has(id) && seen.add(id);
  });
}

/** Lists too long to be looked into one by one; nothing else is said about such a proposal. */
function oversized(value: Json): ProposalFault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return (['tickets', 'roles'] as const).flatMap((path) => {
    const length = Array.isArray(value[path]) ? value[path].length : 0;
    if (length <= PROPOSAL_LIMITS[path]) return [];
    const message = `${length} ${path}, ${PROPOSAL_LIMITS[path]} are allowed; group or drop some`;
    return [{ path, code: 'too_large' as const, message }];
  });
}

/**
 * Reads a proposal of unknown origin. Gives the proposal with its defaults filled in, or every fault with its path, so that
 * all can be mended in one go; only a proposal above the limits gets none but those. Never throws.
 */
export function validateProposal(
  input: unknown,
): { ok: true; proposal: Proposal } | { ok: false; faults: ProposalFault[] } {
  const snapshot = snapshotJson(input, SNAPSHOT_LIMITS);
  if ('path' in snapshot) return { ok: false, faults: [snapshot] };
  const large = oversized(snapshot.value);
  if (large.length > 0) return { ok: false, faults: large };
  const parsed = Proposal.safeParse(snapshot.value);
  const faults = distinct([...snapshot.faults, ...outlineFaults(snapshot.value), ...shapeFaults(parsed)]);
  return parsed.success && faults.length === 0 ? { ok: true, proposal: parsed.data } : { ok: false, faults };
}
