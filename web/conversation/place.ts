import { useSearchParams } from 'wouter';

/** What of a space is open, as the address says it. */
export interface Place {
  /** The thread beside the conversation. */
  thread: string | null;
  /** A message of which a thread is about to grow. */
  reply: string | null;
  /** The message that a link points at. */
  message: string | null;
  areRunsOpen: boolean;
}

export function usePlace(): [Place, (change: Partial<Place>) => void] {
  const [search, setSearch] = useSearchParams();
  const place: Place = {
    thread: search.get('thread'),
    reply: search.get('reply'),
    message: search.get('m'),
    areRunsOpen: search.get('runs') === '1',
  };
  const go = (change: Partial<Place>) => {
    const { thread, reply, message, areRunsOpen } = { ...place, ...change };
    const next = { thread, reply, m: message, runs: areRunsOpen ? '1' : null };
    setSearch((before) => {
      const params = new URLSearchParams(before);
      for (const [name, value] of Object.entries(next)) {
        if (value === null) params.delete(name);
        else params.set(name, value);
      }
      return params;
    });
  };
  return [place, go];
}
