import { Copy } from 'lucide-react';
import { texts, useText } from '../i18n/text.ts';
import { Button, IconButton } from './button.tsx';
import { notify, notifyFailure } from './notices.tsx';

const words = texts(
  { copy: 'Copy as Markdown', copied: 'Copied.' },
  { copy: 'Copier en Markdown', copied: 'Copié.' },
);

interface CopyButtonProps {
  /** Made when it is pressed. */
  text(): string;
  label?: string;
  isIcon?: boolean;
}

export function CopyButton({ text, label, isIcon = false }: CopyButtonProps) {
  const t = useText(words);
  const name = label ?? t.copy;
  const copy = () => navigator.clipboard.writeText(text()).then(() => notify(t.copied), notifyFailure);
  if (isIcon) return <IconButton label={name} icon={<Copy size={15} aria-hidden />} onClick={copy} />;
  return (
    <Button kind="quiet" onClick={copy}>
      <Copy size={15} aria-hidden /> {name}
    </Button>
  );
}
