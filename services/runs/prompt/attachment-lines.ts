import type { AttachedFile } from '../peers/spaces-port.ts';

/** A line for each attachment, with what an agent needs to read it. */
export function attachmentLines(attachments: readonly AttachedFile[]): string[] {
  return attachments.map(
    ({ id, name, mediaType, size }) =>
      `Attachment: ${JSON.stringify(name)} (${mediaType}, ${size} bytes), read it with read_attachment ${id}`,
  );
}

/** What a message says to an agent: its words and what is attached, one of which there is. */
export function withAttachments(body: string, attachments: readonly AttachedFile[]): string {
  const lines = attachmentLines(attachments).join('\n');
  return [body, lines].filter((part) => part.trim() !== '').join('\n\n');
}
