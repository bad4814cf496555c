import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { useText } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import { composerText } from './text.ts';

interface AttachButtonProps {
  cannot: string | null;
  onFiles(files: readonly File[]): void;
}

export function AttachButton({ cannot, onFiles }: AttachButtonProps) {
  const t = useText(composerText);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label={t.attach}
        disabledReason={cannot}
        icon={<Paperclip size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t.attach}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can be chosen once more after it was removed.
          target.value = '';
        }}
      />
    </>
  );
}
