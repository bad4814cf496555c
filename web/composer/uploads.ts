import { create } from 'zustand';
import type { AttachedFile } from '../../services/spaces/attachments/schema.ts';
import { spaces } from '../api/client.ts';
import { ApiProblem, problemOf, UNREACHABLE } from '../api/problem.ts';
import { MOST_BYTES } from './attachment-limits.ts';
import { changeDraft, draftOf } from './drafts.ts';

type UploadProblem =
  | { kind: 'tooLarge' }
  | { kind: 'empty' }
  | { kind: 'unreadable' }
  | { kind: 'refused'; error: unknown };

/** A file on its way to the server. */
export interface Upload {
  /** Made once for the file, so that trying again stores it once. */
  key: string;
  conversationId: string;
  file: File;
  /** From 0 to 1. */
  share: number;
  problem: UploadProblem | null;
}

/** Those under way or failed, of every conversation: they go on when the person looks elsewhere. */
const useUploads = create<{ items: readonly Upload[] }>()(() => ({ items: [] }));
const requests = new Map<string, XMLHttpRequest>();

export function useUploadsOf(conversationId: string): readonly Upload[] {
  const items = useUploads((state) => state.items);
  return items.filter((item) => item.conversationId === conversationId);
}

/** @param onDone told of each file that is here */
export function addFiles(
  ws: string,
  conversationId: string,
  files: readonly File[],
  onDone: (file: AttachedFile) => void,
): void {
  for (const file of files) {
    const upload = { key: crypto.randomUUID(), conversationId, file, share: 0, problem: null };
    useUploads.setState(({ items }) => ({ items: [...items, upload] }));
    void send(ws, upload, onDone);
  }
}

export function uploadAgain(ws: string, upload: Upload, onDone: (file: AttachedFile) => void): void {
  change(upload.key, { share: 0, problem: null });
  void send(ws, upload, onDone);
}

export function dropUpload(key: string): void {
  requests.get(key)?.abort();
  requests.delete(key);
  useUploads.setState(({ items }) => ({ items: items.filter((item) => item.key !== key) }));
}

async function send(ws: string, upload: Upload, onDone: (file: AttachedFile) => void): Promise<void> {
  const { key, conversationId, file } = upload;
  if (file.size > MOST_BYTES) return change(key, { problem: { kind: 'tooLarge' } });
  if (file.size === 0) return change(key, { problem: { kind: 'empty' } });
  const base64 = await base64Of(file).catch(() => null);
  if (base64 === null) return change(key, { problem: { kind: 'unreadable' } });
  try {
    const stored = await post(ws, upload, base64);
    // It may have been removed meanwhile.
    if (!useUploads.getState().items.some((item) => item.key === key)) return;
    const { id, name, mediaType, size } = stored;
    const attachments = [...draftOf(conversationId).attachments, { id, name, mediaType, size }];
    changeDraft(conversationId, { attachments });
    dropUpload(key);
    onDone(stored);
  } catch (error) {
    change(key, { problem: { kind: 'refused', error } });
  }
}

/** Not by fetch, which does not tell how far it is. @throws ApiProblem */
function post(ws: string, { key, conversationId, file }: Upload, base64: string): Promise<AttachedFile> {
  const at = spaces.api.workspaces[':workspaceId'].conversations[':id'].attachments;
  const request = new XMLHttpRequest();
  requests.set(key, request);
  return new Promise((resolve, reject) => {
    request.open('POST', at.$url({ param: { workspaceId: ws, id: conversationId } }));
    request.setRequestHeader('content-type', 'application/json');
    request.upload.onprogress = ({ loaded, total }) => change(key, { share: total > 0 ? loaded / total : 0 });
    request.onerror = () => reject(new ApiProblem(0, UNREACHABLE, 'The server cannot be reached.', {}, true));
    request.onload = () => {
      const { status, responseText } = request;
      if (status < 300) resolve(JSON.parse(responseText) as AttachedFile);
      else void problemOf(new Response(responseText, { status })).then(reject);
    };
    request.send(JSON.stringify({ name: file.name, mediaType: file.type, base64, key }));
  });
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

function change(key: string, to: Partial<Upload>): void {
  useUploads.setState(({ items }) => ({
    items: items.map((item) => (item.key === key ? { ...item, ...to } : item)),
  }));
}
