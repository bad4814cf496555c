import { Fault } from '../kit/fault.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * Changes one versioned row. `attempt` writes on the condition that the version is still the one read and says whether
 * it won; a loser without an own `version` reads again. Each loss is another writer's gain, so this ends.
 * @returns the row as it stands afterwards
 * @throws Fault conflict when `version` is given and is not the row's
 */
export async function changeRow<Row extends { version: number }>(
  version: number | undefined,
  read: () => Promise<Row>,
  attempt: (row: Row) => Promise<boolean>,
): Promise<Row> {
  for (;;) {
    const row = await read();
    if (version !== undefined && version !== row.version) throw stale(version, row.version);
    if (await attempt(row)) return read();
  }
}

function stale(given: number, present: number): Fault {
  return new Fault(
    'conflict',
    `Someone else changed this first: your change is based on version ${given}, it is now at ${present}. Load it again and repeat the change.`,
    { givenVersion: given, presentVersion: present },
  );
}

/** The fields of `patch` whose value is not the present one; empty when nothing changes. */
export function differing<Row extends object, Patch extends object>(row: Row, patch: Patch): Partial<Patch> {
  const present = row as Record<string, unknown>;
  const changed = Object.entries(patch).filter(
    ([name, value]) => value !== undefined && canonicalJson(value) !== canonicalJson(present[name]),
  );
  return Object.fromEntries(changed) as Partial<Patch>;
}
