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

/** What tells a reader least, so that it is what a narrow table cuts off. */
const LAST_FACTS = ['requester', 'digest'];

/** The plain facts of an entry and the reason of a decision; ids and all else that is nested are in its JSON. */
function factsText(data: Record<string, unknown>): string {
  const reason = (data.decision as { reason?: unknown } | null | undefined)?.reason;
  const facts = Object.entries({ ...data, ...(reason === undefined ? {} : { reason }) }).filter(
    ([name, value]) =>
      !name.endsWith('Id') && ['string', 'number', 'boolean'].includes(typeof value) && value !== '',
  );
  const [last, first] = [true, false].map((isLast) =>
    facts.filter(([name]) => LAST_FACTS.includes(name) === isLast),
  );
  return [...(first ?? []), ...(last ?? [])].map(([name, value]) => `${name}=${String(value)}`).join(' ');
}
