import { createHmac } from 'node:crypto';
import type { Database } from '../../kit/database/database.ts';

/**
 * HMAC-SHA256 of a text under the workspace's own key, hexadecimal: the same for the same text over restarts, and no way
 * to try texts for whoever reads it.
 */
export async function signText(database: Database, text: string): Promise<string> {
  const [row] = await database.read({ sql: `SELECT value FROM runKeys WHERE name = 'call'`, args: [] });
  return createHmac('sha256', Buffer.from(String(row?.value), 'hex'))
    .update(text)
    .digest('hex');
}
