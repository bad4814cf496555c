import type { CommandReader } from './shell/command-reader.ts';

/** A reader that is loaded when it is first asked for, and kept. A load that failed is tried again for the next who asks. */
export function keepReader(load: () => Promise<CommandReader>): () => Promise<CommandReader> {
  let loading: Promise<CommandReader> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
