import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import css from './dialog.module.css';
import { useModal } from './use-modal.ts';

interface DialogProps {
  title: string;
  closeLabel: string;
  onClose(): void;
  children: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
  isWide?: boolean;
}

/** A modal dialog: the browser's own, which keeps the focus in it, closes on Escape and gives the focus back. */
export function Dialog({ title, closeLabel, onClose, children, actions, isWide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  return (
    <dialog
      ref={dialog}
      className={isWide ? `${css.dialog} ${css.wide}` : css.dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={css.header}>
        <h2>{title}</h2>
        <IconButton label={closeLabel} icon={<X size={16} aria-hidden />} onClick={onClose} />
      </header>
      <div className={css.body}>{children}</div>
      {actions ? <footer className={css.actions}>{actions}</footer> : null}
    </dialog>
  );
}
