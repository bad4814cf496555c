import { useEffect, useRef, useState } from 'react';
import type { Message } from '../../services/spaces/messages/schema.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { useNames } from './names.ts';
import { conversationText } from './text.ts';

const SPOKEN_CHARS = 400;
/** Of those that come at once. */
const MOST_SPOKEN = 3;

/** Tells screen readers of whole messages as they come, never of pieces of one, and not of the person's own. */
export function Announcer({ ws, messages }: { ws: string; messages: readonly Message[] }) {
  const t = useText(conversationText);
  const me = useMe().actor;
  const nameOf = useNames(ws);
  const [spoken, setSpoken] = useState('');
  const last = messages.at(-1)?.id;
  const heard = useRef<string | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when there is a newer one
  useEffect(() => {
    if (last === undefined || heard.current === last) return;
    const from = messages.findIndex(({ id }) => id === heard.current);
    heard.current = last;
    const others = from < 0 ? [] : messages.slice(from + 1).filter(({ author }) => author !== me);
    if (others.length === 0) return;
    const sentences = others
      .slice(-MOST_SPOKEN)
      .map(({ author, body }) => t.said(nameOf(author).name, plain(body)));
    setSpoken(sentences.join('\n'));
  }, [last]);
  return (
    <div role="status" className="visually-hidden">
      {spoken}
    </div>
  );
}

/** Without the marks of Markdown, which read badly. */
function plain(body: string): string {
  // Within a word it belongs to a name.
  const text = body.replaceAll(/[*`#>|]+|(?<!\w)_+|_+(?!\w)/g, '');
  return text.length <= SPOKEN_CHARS ? text : `${text.slice(0, SPOKEN_CHARS).replace(/\s+\S*$/, '')} …`;
}
