import { createHash } from 'node:crypto';
import type { Agent } from './schema.ts';

/** What stands for a text in the log. Nothing can be taken out of the log again, and people paste what they should not. */
interface ToldProse {
  characters: number;
  /** Equal for equal texts: it tells that an earlier one came back. */
  digest: string;
}
type Told = Agent[keyof Agent] | ToldProse;

/** Field by field what was and what is. */
type ToldChanges = Record<string, { from: Told; to: Told }>;

const PROSE: ReadonlySet<string> = new Set<keyof Agent>(['persona', 'systemPrompt']);
const DIGEST_CHARS = 12;

/** What an event says of the changed fields: their values, of prose its length and digest. */
export function toldChanges(before: Agent, after: Agent, changed: readonly string[]): ToldChanges {
  const fields = changed as readonly (keyof Agent)[];
  return Object.fromEntries(
    fields.map((field) => [field, { from: told(field, before[field]), to: told(field, after[field]) }]),
  );
}

function told(field: string, value: Agent[keyof Agent]): Told {
  if (!PROSE.has(field) || typeof value !== 'string') return value;
  const digest = createHash('sha256').update(value).digest('hex').slice(0, DIGEST_CHARS);
  return { characters: value.length, digest };
}
