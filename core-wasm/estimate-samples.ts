import { CoreError } from './errors.ts';

/** Whole micro-dollars and milliseconds of past runs. */
export interface RoleHistory {
  /** Completed runs whose cost is known. */
  costMicros: readonly number[];
  /** Completed runs. */
  durationMs: readonly number[];
}

export type Histories = Readonly<Record<string, RoleHistory>>;

type Field = keyof RoleHistory;

/** One column of samples, grouped by role: those of role r are values[off[r]..off[r + 1]). */
interface SampleColumn {
  off: Int32Array;
  values: Float64Array;
}

export interface Samples {
  costMicros: SampleColumn;
  durationMs: SampleColumn;
  /** Samples of the longest role. */
  longest: number;
}

const NONE: RoleHistory = { costMicros: [], durationMs: [] };

/** Own properties alone: a role may be called `constructor`. */
const historyOf = (histories: Histories, role: string | null): RoleHistory =>
  role !== null && Object.hasOwn(histories, role) ? (histories[role] ?? NONE) : NONE;

function packColumn(
  entries: readonly RoleHistory[],
  field: Field,
  roles: readonly (string | null)[],
): SampleColumn {
  const off = new Int32Array(entries.length + 1);
  entries.forEach((entry, r) => {
    if (!Array.isArray(entry[field]))
      throw new CoreError('BAD_SAMPLE', `histories.${roles[r]}.${field}: no list`);
    off[r + 1] = off[r]! + entry[field].length;
  });
  const values = new Float64Array(off[entries.length]!);
  let at = 0;
  entries.forEach((entry, r) => {
    const samples = entry[field];
    for (let i = 0; i < samples.length; i++) {
      const value: unknown = samples[i];
      if (typeof value !== 'number')
        throw new CoreError('BAD_SAMPLE', `histories.${roles[r]}.${field}[${i}]: ${typeof value}`);
      values[at++] = value;
    }
  });
  return { off, values };
}

/** The samples of `roles`, in that order, as columns. Throws BAD_SAMPLE for what is no list of numbers. */
export function packSamples(roles: readonly (string | null)[], histories: Histories): Samples {
  const entries = roles.map((role) => historyOf(histories, role));
  let longest = 0;
  for (const { costMicros, durationMs } of entries)
    longest = Math.max(longest, costMicros?.length ?? 0, durationMs?.length ?? 0);
  return {
    costMicros: packColumn(entries, 'costMicros', roles),
    durationMs: packColumn(entries, 'durationMs', roles),
    longest,
  };
}

/** Words for the kernel's BAD_SAMPLE detail: a cost's position, or -1 - a duration's. */
export function namePosition(samples: Samples, roles: readonly (string | null)[], detail: number): string {
  const field: Field = detail >= 0 ? 'costMicros' : 'durationMs';
  const position = detail >= 0 ? detail : -1 - detail;
  const { off, values } = samples[field];
  const next = off.findIndex((start) => start > position);
  return `histories.${roles[next - 1]}.${field}[${position - off[next - 1]!}]: ${values[position]}`;
}
