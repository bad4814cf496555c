import { create } from 'zustand';
import type { PresenceChange, PresenceItem } from '../../services/spaces/presence/presence-list.ts';
import { openStream } from '../live/live.ts';
import { changed } from './presence-items.ts';

/** Who follows the open workspace and what its agents are about; null until it is known. */
export const usePresence = create<{ items: readonly PresenceItem[] | null }>()(() => ({ items: null }));

/** Keeps `usePresence` true for a workspace, until the result is called. */
export function followPresence(ws: string): () => void {
  usePresence.setState({ items: null });
  return openStream(`/api/workspaces/${ws}/presence/stream`, {
    isEndless: true,
    onMessage(event, data) {
      if (event === 'snapshot') usePresence.setState({ items: (data as { items: PresenceItem[] }).items });
      else usePresence.setState(({ items }) => ({ items: changed(items ?? [], data as PresenceChange) }));
    },
  });
}
