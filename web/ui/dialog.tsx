import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import css from './dialog.module.css';

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
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
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
