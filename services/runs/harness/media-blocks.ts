import type Anthropic from '@anthropic-ai/sdk';
import type { MediaRef } from './journal.ts';

type MediaBlock = Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam | Anthropic.TextBlockParam;

/** Files in base64 by name; null for one that is gone. A name that is not there was not wanted. */
export type LoadedMedia = ReadonlyMap<string, string | null>;

/** Whether a request with these shows any. */
export function showsMedia(loaded: LoadedMedia): boolean {
  return loaded.values().some((data) => data !== null);
}

const PDF = 'application/pdf';
const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** What a model that reads `media` takes of these. */
export function takenMedia(
  refs: readonly MediaRef[],
  media: readonly ('image' | 'pdf')[],
): readonly MediaRef[] {
  return refs.filter(({ mediaType }) => media.includes(mediaType === PDF ? 'pdf' : 'image'));
}

/** The media of one result as the model gets them: itself, or a word on why it cannot be shown. */
export function mediaBlocks(refs: readonly MediaRef[], loaded: LoadedMedia): MediaBlock[] {
  return refs.map((ref) => {
    const data = loaded.get(ref.file);
    if (data === undefined) return note(ref, 'this model does not read it');
    if (data === null) return note(ref, 'its file is gone');
    return ref.mediaType === PDF ? documentBlock(data) : imageBlock(ref, data);
  });
}

function documentBlock(data: string): Anthropic.DocumentBlockParam {
  return { type: 'document', source: { type: 'base64', media_type: PDF, data } };
}

function imageBlock(ref: MediaRef, data: string): MediaBlock {
  if (!IMAGES.includes(ref.mediaType)) return note(ref, 'models do not read this kind');
  const mediaType = ref.mediaType as Anthropic.Base64ImageSource['media_type'];
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

function note({ mediaType, bytes }: MediaRef, reason: string): Anthropic.TextBlockParam {
  return { type: 'text', text: `[A file of type ${mediaType} (${bytes} bytes) is not shown: ${reason}.]` };
}
