import type { AuditEntry } from '../../services/spaces/audit/audit.ts';
import { AGENT_FIELDS, type AgentField } from './agent-form.ts';

/** What the log says of a long text: not the text itself, which may hold what must be forgotten. */
interface Prose {
  characters: number;
  /** The same for the same text. */
  digest: string;
}
type FieldValue = string | number | readonly string[] | Prose | null;

export interface FieldChange {
  field: AgentField;
  /** Null where the log is older than its values. */
  values: { from: FieldValue; to: FieldValue } | null;
}

export const isProse = (value: FieldValue): value is Prose =>
  typeof value === 'object' && value !== null && 'digest' in value;

/** The fields that an entry of the log says were changed, in the order of the form; those of a newer server are left out. */
export function changesOf({ data }: Pick<AuditEntry, 'data'>): FieldChange[] {
  const values = (data.changes ?? {}) as Record<string, { from: FieldValue; to: FieldValue }>;
  const named = [...(Array.isArray(data.changed) ? data.changed : []), ...Object.keys(values)].map(String);
  return AGENT_FIELDS.filter((field) => named.includes(field)).map((field) => ({
    field,
    values: values[field] ?? null,
  }));
}
