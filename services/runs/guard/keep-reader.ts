import type { CommandReader } from './command-reader.ts';

/**
 * A reader that begins to load at once and keeps nobody from starting: who needs it while it loads waits. A load that failed
 * is told to whoever asks, and tried again for the next.
 */
export function keepReader(load: () => Promise<CommandReader>): () => Promise<CommandReader> {
  let loading: Promise<CommandReader> | null = null;
  const reader = () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  reader().catch(() => undefined);
  return reader;
}
