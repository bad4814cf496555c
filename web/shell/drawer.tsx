import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { useModal } from '../ui/use-modal.ts';
import css from './drawer.module.css';
import { openDrawer, usePanes } from './panes.ts';

const words = texts({ name: 'Navigation' }, { name: 'Navigation' });

/** The sidebar of narrow screens: it lies over the screen and goes when a place was chosen. */
export function Drawer({ children }: { children: ReactNode }) {
  const isOpen = usePanes((state) => state.isDrawerOpen);
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is what closes it
  useEffect(() => openDrawer(false), [path]);
  return isOpen ? <OpenDrawer>{children}</OpenDrawer> : null;
}

function OpenDrawer({ children }: { children: ReactNode }) {
  const t = useText(words);
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too; the click is on the backdrop
    <dialog
      ref={dialog}
      className={css.drawer}
      aria-label={t.name}
      onCancel={(event) => {
        event.preventDefault();
        openDrawer(false);
      }}
      onClick={(event) => {
        if (event.target === dialog.current) openDrawer(false);
      }}
    >
      {children}
    </dialog>
  );
}
