/** Frames in which a field has to be there. */
const PATIENCE = 60;

/** The focus goes to what `data-field` names, once the screen shows it. */
export function focusField(name: string, frames = PATIENCE): void {
  const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
  if (field) field.focus();
  else if (frames > 0) requestAnimationFrame(() => focusField(name, frames - 1));
}

/** The first of these that is there takes the focus, if what had it is gone with the frame. */
export function focusInstead(...names: string[]): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const fields = names.map((name) =>
      document.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`),
    );
    fields.find((field) => field !== null)?.focus();
  });
}
