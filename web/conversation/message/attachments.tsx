import { File, FileText } from 'lucide-react';
import type { AttachedFile } from '../../../services/spaces/attachments/schema.ts';
import { bytes } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { conversationText } from '../text.ts';
import css from './message.module.css';

/** The files of a message: pictures as they are, others by name and size. */
export function Attachments({ ws, files }: { ws: string; files: readonly AttachedFile[] }) {
  const t = useText(conversationText);
  if (files.length === 0) return null;
  return (
    <ul className={css.files} aria-label={t.attachments}>
      {files.map((file) => (
        <li key={file.id}>
          <a
            href={`/api/workspaces/${ws}/attachments/${file.id}/content`}
            target="_blank"
            rel="noopener"
            className={css.file}
            aria-label={t.download(file.name, bytes(file.size))}
          >
            {file.mediaType.startsWith('image/') ? (
              <img
                src={`/api/workspaces/${ws}/attachments/${file.id}/content`}
                alt={file.name}
                loading="lazy"
                className={css.picture}
              />
            ) : (
              <>
                {file.mediaType.startsWith('text/') ? (
                  <FileText size={16} aria-hidden />
                ) : (
                  <File size={16} aria-hidden />
                )}
                <span>{file.name}</span>
                <span className={css.time}>{bytes(file.size)}</span>
              </>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
