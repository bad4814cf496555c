/** As a ref: the field that has the focus when its dialog opens. React's own `autoFocus` sets none that a dialog would heed. */
export const firstFocus = (field: HTMLElement | null): void => field?.setAttribute('autofocus', '');
