import type { MediaType } from '../../kit/media-type.ts';
import type { Media } from './keep-media.ts';

const MAX_IMAGE_BYTES = 3_932_160;
const MAX_PDF_BYTES = 10 * 1024 * 1024;
/** What the Messages API takes at most on either side. */
const MAX_SIDE_PIXELS = 8_000;

/** The most bytes that a file of this type may have. */
export function mediaLimit(mediaType: MediaType): number {
  return mediaType === 'application/pdf' ? MAX_PDF_BYTES : MAX_IMAGE_BYTES;
}

/** What `name` is, in words for the model; the fault says why a model server would refuse it and how to mend it. */
export function describeMedia(
  name: string,
  media: Media,
  mend = shrink(name),
): { text: string } | { fault: string } {
  const { mediaType, bytes } = media;
  const size = `${bytes.length} bytes`;
  if (mediaType === 'application/pdf') {
    const fault = pdfFault(Buffer.from(bytes));
    return fault === null ? { text: `${name} (${mediaType}, ${size})` } : { fault: `${name} ${fault}` };
  }
  const pixels = pixelsOf(mediaType, Buffer.from(bytes));
  if (pixels === null) return { fault: `${name} begins as ${mediaType}, but is damaged or cut off.` };
  const { width, height } = pixels;
  if (Math.max(width, height) <= MAX_SIDE_PIXELS)
    return { text: `${name} (${mediaType}, ${width}×${height} pixels, ${size})` };
  const fault = `is ${width}×${height} pixels, and ${MAX_SIDE_PIXELS} is the most on a side. ${mend}`;
  return { fault: `${name} ${fault}` };
}

/** Why a file of so many bytes is not shown, or null. */
export function sizeFault(
  name: string,
  mediaType: MediaType,
  bytes: number,
  mend = smaller(name, mediaType),
): string | null {
  const limit = mediaLimit(mediaType);
  if (bytes <= limit) return null;
  return `${name} (${mediaType}) has ${bytes} bytes, and ${limit} is the most that can be shown. ${mend}`;
}

function smaller(name: string, mediaType: MediaType): string {
  return mediaType === 'application/pdf'
    ? 'Take out the pages you need, as with `qpdf in.pdf --pages . 1-10 -- part.pdf`, or its text with `pdftotext`.'
    : shrink(name);
}

function shrink(name: string): string {
  return `Shrink it first, as with \`magick '${name}' -resize 1500x1500 small.png\`, and look at that.`;
}

function pdfFault(bytes: Buffer): string | null {
  const isWhole = bytes.subarray(-2_048).includes('%%EOF');
  if (!isWhole) return 'is cut off: its end mark is missing.';
  return /\/Encrypt\s+\d+\s+\d+\s+R/.test(bytes.toString('latin1'))
    ? 'is encrypted; a person has to give it without its password.'
    : null;
}

interface Pixels {
  width: number;
  height: number;
}

function pixelsOf(mediaType: MediaType, bytes: Buffer): Pixels | null {
  try {
    const pixels = READERS[mediaType]?.(bytes) ?? null;
    return pixels !== null && pixels.width > 0 && pixels.height > 0 ? pixels : null;
  } catch (error) {
    // Read past the end: it is cut off.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const READERS: Partial<Record<MediaType, (bytes: Buffer) => Pixels | null>> = {
  'image/png': (bytes) =>
    bytes.toString('latin1', 12, 16) === 'IHDR' && bytes.subarray(-12).includes('IEND')
      ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
      : null,
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/jpeg': jpegPixels,
  'image/webp': webpPixels,
};

/** The frame header is behind segments of any length. */
function jpegPixels(bytes: Buffer): Pixels | null {
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function webpPixels(bytes: Buffer): Pixels | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
