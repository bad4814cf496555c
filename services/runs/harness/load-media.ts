import type { ContextPlan } from './context-plan.ts';
import type { Conversation } from './conversation.ts';
import type { HarnessJob, HarnessPorts } from './job.ts';
import { type LoadedMedia, takenMedia } from './media-blocks.ts';

/** Reads the media that the next request shows. @throws what the port throws; a file that is gone is no error. */
export async function loadMedia(
  { model }: HarnessJob,
  { turns, summary }: Conversation,
  { cleared }: Pick<ContextPlan, 'cleared'>,
  ports: Pick<HarnessPorts, 'media'>,
): Promise<LoadedMedia> {
  const shown = turns
    .slice(summary?.turns ?? 0)
    .flatMap((turn) => [...turn.results.values()])
    .filter((result) => !result.isError && !cleared.has(result.callId));
  const files = shown.flatMap(({ media = [] }) => takenMedia(media, model.media).map(({ file }) => file));
  const loaded = new Map<string, string | null>();
  for (const file of new Set(files)) {
    const bytes = await ports.media(file);
    loaded.set(file, bytes === null ? null : Buffer.from(bytes).toString('base64'));
  }
  return loaded;
}
