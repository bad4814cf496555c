import { useState } from 'react';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import css from './conversation.module.css';
import { say } from './log/outbox.ts';
import { conversationText } from './text.ts';

/** The place to write in a conversation. */
export function Composing({ ws, conversationId }: { ws: string; spaceId: string; conversationId: string }) {
  const t = useText(conversationText);
  const [body, setBody] = useState('');
  const send = () => {
    if (body.trim() === '') return;
    void say({ ws, conversationId, body });
    setBody('');
  };
  return (
    <div className={css.write}>
      <textarea
        aria-label={t.write}
        placeholder={t.write}
        rows={2}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          send();
        }}
      />
      <Button kind="primary" onClick={send}>
        {t.send}
      </Button>
    </div>
  );
}
