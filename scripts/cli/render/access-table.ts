import type { ListedSession } from '../../../services/spaces/members/session-list.ts';
import type { TokenView } from '../../../services/spaces/members/token-store.ts';
import { plainLine } from '../plain-text.ts';
import { table } from './table.ts';

const titles = (...names: string[]) => names.map((title) => ({ title }));
const minute = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

export function sessionsTable(sessions: readonly ListedSession[]): string {
  const rows = sessions.map(({ id, browser, system, createdAt, lastSeenAt, expiresAt }) => [
    id,
    [browser ?? 'unknown', system].filter(Boolean).join(', '),
    ...[createdAt, lastSeenAt, expiresAt].map(minute),
  ]);
  const columns = titles('ID', 'BROWSER', 'SIGNED IN', 'LAST SEEN', 'UNTIL');
  return table(columns, rows, 'No browser is signed in.');
}

export function tokensTable(tokens: readonly TokenView[]): string {
  const rows = tokens.map(({ id, name, createdAt, lastUsedAt, isOwnerFile }) => [
    id,
    plainLine(isOwnerFile ? `${name} (in the file owner-token)` : name, 60),
    minute(createdAt),
    lastUsedAt === null ? 'unknown' : minute(lastUsedAt),
  ]);
  return table(
    titles('ID', 'NAME', 'MADE', 'LAST USED'),
    rows,
    'No tokens. Make one with `cctl tokens add`.',
  );
}
