import { isRecord } from './is-record.ts';

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const DOCUMENT_TYPES = ['application/pdf'];
const IMAGE_LIMIT_BYTES = 5 * 1024 * 1024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function base64Problem(source: Record<string, unknown>, types: string[], where: string): string | null {
  const { media_type: mediaType, data } = source;
  if (typeof mediaType !== 'string' || !types.includes(mediaType))
    return `${where}.source.base64.media_type: Input should be ${types.map((type) => `'${type}'`).join(' or ')}`;
  if (typeof data !== 'string') return `${where}.source.base64.data: Field required`;
  if (data === '') return `${where}.source.base64.data: ${mediaType} cannot be empty`;
  return BASE64.test(data) ? null : `${where}.source.base64.data: Input should be valid base64`;
}

function imageProblem(source: Record<string, unknown>, where: string): string | null {
  const problem = base64Problem(source, IMAGE_TYPES, where);
  if (problem !== null) return problem;
  const size = Buffer.byteLength(String(source.data), 'base64');
  return size <= IMAGE_LIMIT_BYTES
    ? null
    : `${where}.source.base64: image exceeds 5 MB maximum: ${size} bytes > ${IMAGE_LIMIT_BYTES} bytes`;
}

/** What is wrong with an image or a document, or null. Only what stands in the request itself is looked into. */
export function mediaProblem(block: Record<string, unknown>, where: string): string | null {
  const place = `${where}.${block.type}`;
  const { source } = block;
  if (!isRecord(source) || typeof source.type !== 'string') return `${place}.source: Field required`;
  if (source.type === 'base64')
    return block.type === 'image'
      ? imageProblem(source, place)
      : base64Problem(source, DOCUMENT_TYPES, place);
  const others = block.type === 'image' ? ['url', 'file'] : ['url', 'file', 'text', 'content'];
  return others.includes(source.type)
    ? null
    : `${place}.source: Input tag '${source.type}' found using 'type' does not match any of the expected tags: 'base64', ${others.map((tag) => `'${tag}'`).join(', ')}`;
}
