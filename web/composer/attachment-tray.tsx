import { File as FileIcon, Image, RotateCcw, X } from 'lucide-react';
import { bytes, percent } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import { MOST_BYTES } from './attachment-limits.ts';
import css from './attachment-tray.module.css';
import { useDraft } from './drafts.ts';
import { composerText } from './text.ts';
import { dropUpload, type Upload, uploadAgain, useUploadsOf } from './uploads.ts';

interface TrayProps {
  ws: string;
  conversationId: string;
  onSaid(text: string): void;
  /** Where the focus goes when what had it is gone. */
  onRemoved(): void;
}

/** The files that go with the message: those that are here, and those on their way. */
export default function AttachmentTray({ ws, conversationId, onSaid, onRemoved }: TrayProps) {
  const t = useText(composerText);
  const [{ attachments }, change] = useDraft(conversationId);
  const uploads = useUploadsOf(conversationId);
  const remove = (id: string) => {
    change({ attachments: attachments.filter((one) => one.id !== id) });
    onRemoved();
  };
  return (
    <ul className={css.tray} aria-label={t.attached}>
      {attachments.map(({ id, name, mediaType, size }) => (
        <li key={id} className={css.file}>
          {mediaType.startsWith('image/') ? (
            <Image size={15} aria-hidden />
          ) : (
            <FileIcon size={15} aria-hidden />
          )}
          <span className={css.name} title={name}>
            {name}
          </span>
          <span className={css.size}>{bytes(size)}</span>
          <RemoveButton name={name} onRemove={() => remove(id)} />
        </li>
      ))}
      {uploads.map((upload) => (
        <UploadItem
          key={upload.key}
          upload={upload}
          onAgain={() => {
            uploadAgain(ws, upload, ({ name }) => onSaid(t.uploaded(name)));
            onRemoved();
          }}
          onRemove={() => {
            dropUpload(upload.key);
            onRemoved();
          }}
        />
      ))}
    </ul>
  );
}

function RemoveButton({ name, onRemove }: { name: string; onRemove(): void }) {
  const t = useText(composerText);
  return (
    <IconButton
      className={css.small}
      label={t.remove(name)}
      icon={<X size={14} aria-hidden />}
      onClick={onRemove}
    />
  );
}

function UploadItem({ upload, onAgain, onRemove }: { upload: Upload; onAgain(): void; onRemove(): void }) {
  const t = useText(composerText);
  const { file, share, problem } = upload;
  const isWorthTrying = problem !== null && problem.kind !== 'tooLarge' && problem.kind !== 'empty';
  return (
    <li className={problem === null ? css.file : `${css.file} ${css.failed}`}>
      <FileIcon size={15} aria-hidden />
      <span className={css.name} title={file.name}>
        {file.name}
      </span>
      {problem === null ? (
        <progress className={css.progress} value={share} aria-label={file.name}>
          {t.uploading(percent(share))}
        </progress>
      ) : (
        <span className={css.problem} role="alert">
          <ProblemWords problem={problem} file={file} />
        </span>
      )}
      {isWorthTrying ? (
        <IconButton
          className={css.small}
          label={t.tryAgain(file.name)}
          icon={<RotateCcw size={14} aria-hidden />}
          onClick={onAgain}
        />
      ) : null}
      <RemoveButton name={file.name} onRemove={onRemove} />
    </li>
  );
}

function ProblemWords({ problem, file }: { problem: NonNullable<Upload['problem']>; file: File }) {
  const t = useText(composerText);
  switch (problem.kind) {
    case 'tooLarge':
      return t.tooLarge(bytes(file.size), bytes(MOST_BYTES));
    case 'empty':
      return t.isEmptyFile;
    case 'unreadable':
      return t.unreadable;
    default:
      return <FaultText error={problem.error} />;
  }
}
