import { type RefObject, useEffect } from 'react';
import { create } from 'zustand';

/** The modal dialogs that are up, the one on top last. */
export const useModals = create<{ stack: readonly HTMLDialogElement[] }>()(() => ({ stack: [] }));

/** Shows a `<dialog>` modally while the component is up, and gives the focus back afterwards. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const before = document.activeElement;
    element.showModal();
    useModals.setState(({ stack }) => ({ stack: [...stack, element] }));
    return () => {
      useModals.setState(({ stack }) => ({ stack: stack.filter((one) => one !== element) }));
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [dialog]);
}
