import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { notify } from '../ui/notices.tsx';
import { MOST_FILES } from './attachment-limits.ts';
import { draftOf } from './drafts.ts';
import { composerText } from './text.ts';
import { addFiles, useUploadsOf } from './uploads.ts';

/** Files by the button, pasted or dropped. */
export function useFiles(ws: string, conversationId: string, isOff: boolean, onSaid: (text: string) => void) {
  const t = useText(composerText);
  const [isOver, setOver] = useState(false);
  const uploads = useUploadsOf(conversationId);
  const count = draftOf(conversationId).attachments.length + uploads.length;
  const add = (files: readonly File[]) => {
    const room = Math.max(0, MOST_FILES - count);
    if (files.length > room) notify(t.tooMany(MOST_FILES), { tone: 'bad' });
    addFiles(ws, conversationId, files.slice(0, room), ({ name }) => onSaid(t.uploaded(name)));
  };
  const hasFiles = ({ dataTransfer }: DragEvent) => !isOff && dataTransfer.types.includes('Files');
  return {
    isOver,
    areAny: count > 0,
    add,
    /** Why no file can be added; null when one can. */
    cannot: count >= MOST_FILES ? t.tooMany(MOST_FILES) : null,
    onPaste(event: ClipboardEvent) {
      const files = [...event.clipboardData.files];
      // Offices put a picture of a text beside the text: it is the text that was meant.
      if (isOff || files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      add(files);
    },
    drop: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop(event: DragEvent) {
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        add([...event.dataTransfer.files]);
      },
    },
  };
}
