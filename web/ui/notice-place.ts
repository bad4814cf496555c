import { useModals } from './use-modal.ts';

/**
 * Where notices stand: in the page, or in the modal dialog on top while there is one. A browser lets nothing outside of a modal
 * dialog be pressed, focused or read aloud, whatever layer it is drawn in.
 */
export const noticePlace = document.createElement('div');
document.body.append(noticePlace);

useModals.subscribe(({ stack }) => {
  const to = stack.at(-1) ?? document.body;
  if (noticePlace.parentNode === to) return;
  // Moved as it is where the browser can: what is in it keeps the focus and is not said again.
  if ('moveBefore' in to && noticePlace.isConnected) to.moveBefore(noticePlace, null);
  else to.append(noticePlace);
});
