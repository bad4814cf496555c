import type { UserEntry } from '../harness/journal.ts';
import { quotedBody } from '../prompt/conversation-prompt.ts';
import type { Takeover } from '../runs/schema.ts';
import { redact } from '../tools/output.ts';
import { timeText } from './kept-notice.ts';

export interface HandbackWords {
  /** The name of who held it. */
  holder: string;
  /** Of who gives it back, which may be the workspace's owner; null for the holder. */
  giver: string | null;
  /** Null when it was given back before it was had whole. */
  takeover: Takeover | null;
  changes: readonly string[];
  note: string | null;
  at: number;
}

/** What an agent reads first when a person gives its work back. */
export function handbackEntry(words: HandbackWords, secrets: readonly string[]): UserEntry {
  const { holder, giver: other, takeover, changes, note, at } = words;
  const since = takeover === null ? '' : ` from ${timeText(takeover.at)}`;
  const giver = other === null ? '' : ` ${other} gives it back in their place.`;
  const parts = [
    `${holder} had taken this work over${since} to ${timeText(at)}; it is yours again.${giver}`,
    note === null ? 'They left no note.' : `They say:\n\n${quotedBody(note)}`,
    changes.length === 0
      ? 'There is no working tree that could have changed, or none was looked at.'
      : `In the working trees since then:\n${changes.map((line) => `- ${line}`).join('\n')}`,
    'Read again what you rely on before you go on.',
  ];
  return { kind: 'user', cause: 'handback', text: redact(parts.join('\n\n'), secrets) };
}
