import { useEffect, useState } from 'react';
import { useFocus, useOnlookers } from '../inbox/focus.ts';
import { usePresence } from '../shell/presence-store.ts';
import { useMe } from '../shell/use-me.ts';

/** Without a key for so long, nobody types any more. */
const REST_MS = 3_000;

const focusOf = (conversationId: string) => `typing:${conversationId}`;

/**
 * Lets others see that this person is writing: once when it begins and once when it rests, and only while others are there.
 * @param hasText whether anything is written now
 * @returns to be called at each change of the text
 */
export function useTyping(ws: string, conversationId: string, hasText: boolean): () => void {
  const { actor } = useMe();
  const [touchedAt, setTouchedAt] = useState<number | null>(null);
  const isAlone = usePresence(
    ({ items }) => !(items ?? []).some((item) => item.kind === 'person' && item.actor !== actor),
  );
  useEffect(() => {
    if (touchedAt === null) return;
    const timer = setTimeout(setTouchedAt, REST_MS, null);
    return () => clearTimeout(timer);
  }, [touchedAt]);
  const isShown = touchedAt !== null && hasText && !isAlone;
  useFocus(ws, isShown ? focusOf(conversationId) : null);
  return () => setTouchedAt(performance.now());
}

/** Names of the others who are writing in the conversation. */
export const useTypists = (conversationId: string): readonly string[] =>
  useOnlookers(focusOf(conversationId)).map(({ name }) => name);
