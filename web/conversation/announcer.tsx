import { useEffect, useRef, useState } from 'react';
import type { Message } from '../../services/spaces/messages/schema.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { useNames } from './names.ts';
import { conversationText } from './text.ts';

const SPOKEN_CHARS = 400;

/** Tells screen readers of whole messages as they come, never of pieces of one, and not of the person's own. */
export function Announcer({ ws, messages }: { ws: string; messages: readonly Message[] }) {
  const t = useText(conversationText);
  const me = useMe().actor;
  const nameOf = useNames(ws);
  const [spoken, setSpoken] = useState('');
  const last = messages.at(-1);
  const heard = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!last || heard.current === last.id) return;
    const isFirst = heard.current === undefined;
    heard.current = last.id;
    if (isFirst || last.author === me) return;
    setSpoken(t.said(nameOf(last.author).name, plain(last.body)));
  }, [last, me, nameOf, t]);
  return (
    <div role="status" className="visually-hidden">
      {spoken}
    </div>
  );
}

/** Without the marks of Markdown, which read badly. */
function plain(body: string): string {
  return body.replaceAll(/[*_`#>|]+/g, '').slice(0, SPOKEN_CHARS);
}
