import { type Actor, isPerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import type { NewRevision } from './revision-store.ts';
import type { OrchestrationRow } from './schema.ts';

/** Revisions that an agent starts come at most this often; one that a person asked for is not held. */
const AGENT_REVISION_INTERVAL_MS = 120_000;

export type Appended = Pick<NewRevision, 'proposal' | 'baseRevision' | 'key' | 'origin' | 'rolledBackTo'> & {
  actor: Actor;
};

/** @throws Fault stale_revision, wrong_status, too_soon */
export async function append(
  bench: Bench,
  workspaceId: string,
  row: OrchestrationRow,
  { actor, ...input }: Appended,
): Promise<void> {
  const appended = await bench.revisions.append(workspaceId, {
    ...{ ...input, orchestrationId: row.id, revision: input.baseRevision + 1, author: actor },
    noAgentRevisionAfter: isPerson(actor) ? null : bench.clock() - AGENT_REVISION_INTERVAL_MS,
  });
  if (appended) return;
  const now = await bench.store.get(workspaceId, row.id);
  requireProposed(now);
  if (now.revision !== input.baseRevision) throw movedOn(input.baseRevision, now.revision);
  requireQuiet(now, bench.clock());
  throw movedOn(input.baseRevision, now.revision);
}

/** @throws Fault wrong_status */
export function requireProposed(row: OrchestrationRow): void {
  if (row.status === 'proposed') return;
  throw new Fault(
    'wrong_status',
    `Orchestration ${row.id} is ${row.status}, so its proposal can no longer change. Propose a new one instead.`,
    { status: row.status },
  );
}

/** The number that a path names a revision by. @throws Fault not_found for what can be none */
export function revisionOf(id: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Fault(
    'not_found',
    `Orchestration ${id} has no revision ${JSON.stringify(text)}; they count from 1.`,
  );
}

export function movedOn(base: number, present: number): Fault {
  return new Fault(
    'stale_revision',
    `The plan moved on: this is based on revision ${base}, the newest is ${present}. Load it and repeat the change there.`,
    { baseRevision: base, revision: present },
  );
}

/** How long an agent has still to wait before it may revise; 0 when it may. */
export function heldForMs(row: OrchestrationRow, at: number): number {
  if (row.lastAgentRevisionAt === null || row.changesRequestedRevision !== null) return 0;
  return Math.max(0, row.lastAgentRevisionAt + AGENT_REVISION_INTERVAL_MS - at);
}

/** @throws Fault too_soon */
export function requireQuiet(row: OrchestrationRow, at: number): void {
  const heldMs = heldForMs(row, at);
  if (heldMs === 0) return;
  const secondsLeft = Math.ceil(heldMs / 1000);
  throw new Fault(
    'too_soon',
    `Wait ${secondsLeft} s before you revise again: one revision in two minutes. Group your changes into one.`,
    { secondsLeft },
  );
}
