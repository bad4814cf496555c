import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { PresenceItem } from '../../services/spaces/presence/presence-list.ts';
import { openStream } from '../live/live.ts';
import { usePresence } from '../shell/presence-store.ts';
import { useMe } from '../shell/use-me.ts';

/** Whoever walks on looks at what they rest on: a held key would open and close more streams than a connection may. */
const REST_MS = 400;

/** Lets others see what this person looks at (`approval:<id>`), while the component is up. */
export function useFocus(ws: string, wanted: string | null): void {
  const [focus, setFocus] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setFocus(wanted), REST_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  useEffect(() => {
    if (focus === null) return;
    const path = `/api/workspaces/${ws}/presence/stream?focus=${encodeURIComponent(focus)}`;
    // What it tells is heard already, by the shell's own stream.
    return openStream(path, { isEndless: true, onMessage: () => undefined });
  }, [ws, focus]);
}

type PersonHere = Extract<PresenceItem, { kind: 'person' }>;

/** The others who look at it now. */
export function useOnlookers(focus: string): readonly PersonHere[] {
  const { actor } = useMe();
  return usePresence(
    useShallow(({ items }) =>
      (items ?? [])
        .filter((item) => item.kind === 'person')
        .filter((person) => person.actor !== actor && person.focus.includes(focus)),
    ),
  );
}
