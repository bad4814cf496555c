import * as z from 'zod';
import { hasFaultCode } from '../../kit/fault.ts';
import { mediaTypeOf } from '../../kit/media-type.ts';
import type { AttachmentFacts } from '../peers/spaces-port.ts';
import { describeMedia, sizeFault } from './media-facts.ts';
import { extentOf, type PageRequest, pageOf } from './output-page.ts';
import { bounded, defineTool, failed, type ToolContext, type ToolReply } from './tool.ts';

const MEND = 'A person has to attach a smaller one.';

export const readAttachment = defineTool({
  name: 'read_attachment',
  description:
    'Reads a file that is attached to a message of this space, by the id that stands with the message. A text comes exactly as it stands; of a long one the first part, and startLine and lines read another (lines and columns count from 1). Images (PNG, JPEG, GIF, WebP) and PDFs are shown to you.',
  input: z.strictObject({
    attachmentId: z.string().min(1).max(80),
    startLine: z.int().min(1).optional(),
    lines: z.int().min(1).max(5_000).optional(),
    startColumn: z.int().min(1).optional().describe('Where to begin in a very long line'),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'conversation',
  run: async (context, { attachmentId, startLine = 1, lines = 5_000, startColumn = 1 }) => {
    const attachment = await attachmentOfSpace(context, attachmentId);
    if (attachment === null) {
      return failed(
        `There is no attachment ${JSON.stringify(attachmentId)} of a message of this space. The ids stand with the messages; read_space shows the last ones of this conversation.`,
      );
    }
    const bytes = await context.spaces.attachmentBytes(context.workspaceId, attachment.id);
    return (
      mediaReply(attachment, bytes) ??
      (isText(bytes) ? textReply(bytes, { startLine, lines, startColumn }) : unreadable(attachment))
    );
  },
});

/** Null for one of another space, and for one that nobody has sent. */
async function attachmentOfSpace(
  { spaces, workspaceId, origin }: ToolContext,
  id: string,
): Promise<AttachmentFacts | null> {
  const { spaceId } = origin();
  try {
    const attachment = await spaces.attachment(workspaceId, id);
    const { space } = await spaces.conversation(workspaceId, attachment.conversationId);
    return attachment.messageId !== null && space.id === spaceId ? attachment : null;
  } catch (error) {
    if (hasFaultCode(error, 'not_found')) return null;
    throw error;
  }
}

/** Null for what is no image and no PDF. */
function mediaReply({ name }: AttachmentFacts, bytes: Uint8Array): ToolReply | null {
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === null) return null;
  const tooLarge = sizeFault(name, mediaType, bytes.length, MEND);
  if (tooLarge !== null) return failed(tooLarge);
  const media = { mediaType, bytes };
  const described = describeMedia(name, media, MEND);
  if ('fault' in described) return failed(described.fault);
  return { kind: 'result', content: `${described.text} follows.`, isError: false, media: [media] };
}

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !bytes.includes(0);
  } catch {
    return false;
  }
}

async function textReply(bytes: Uint8Array, request: PageRequest): Promise<ToolReply> {
  if (bytes.length === 0) return bounded('(the file is empty)');
  const page = await pageOf([bytes], request);
  const { text, endLine, nextColumn, totalLines } = page;
  const { startLine, startColumn } = request;
  if (startLine > totalLines) return failed(`It has ${totalLines} lines; line ${startLine} is past its end.`);
  const isWhole = startLine === 1 && startColumn === 1 && endLine === totalLines && nextColumn === null;
  return bounded(isWhole ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${extentOf(page, startLine)}`);
}

function unreadable({ name, mediaType, size }: AttachmentFacts): ToolReply {
  return failed(
    `${name} (${mediaType}, ${size} bytes) is neither text in UTF-8 nor an image or a PDF, so it cannot be shown. Ask for it in one of these forms.`,
  );
}
