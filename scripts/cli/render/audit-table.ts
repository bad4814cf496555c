import type { AuditEntry } from '../../../services/spaces/audit/audit.ts';
import { plainLine } from '../plain-text.ts';
import { table } from './table.ts';

export function auditTable(entries: readonly AuditEntry[]): string {
  const columns = ['SEQ', 'WHEN', 'WHO', 'DID', 'TO', 'FROM', 'WHAT'].map((title) => ({ title }));
  return table(columns, entries.map(cells), 'Nothing was decided or changed yet.');
}

export function auditLine(entry: AuditEntry): string {
  return cells(entry)
    .filter((cell) => cell !== '')
    .join('  ');
}

function cells({ seq, at, actor, action, subject, source, data }: AuditEntry): string[] {
  const from = source === null ? '' : [source.via, source.address, source.agent].filter(Boolean).join(' ');
  const when = new Date(at).toISOString();
  return [String(seq), when, actor, action, subject, plainLine(from, 60), plainLine(factsText(data), 120)];
}

/** The plain facts of an entry; ids and what is nested are in its JSON. */
function factsText(data: Record<string, unknown>): string {
  const facts = Object.entries(data).filter(
    ([name, value]) =>
      !name.endsWith('Id') && ['string', 'number', 'boolean'].includes(typeof value) && value !== '',
  );
  return facts.map(([name, value]) => `${name}=${String(value)}`).join(' ');
}
