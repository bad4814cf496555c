import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { isSingleKey, KeyDispatch } from './dispatch.ts';
import { useKeySettings } from './key-settings.ts';

export interface KeyBinding {
  /** tinykeys notation: `$mod+k`, `g i`, `[Shift]+?`. */
  keys: string;
  /** What it does, in the person's language; the help shows it. */
  label: string;
  /** Heading in the help. */
  group: string;
  run(event: KeyboardEvent): void;
  /** Also while a field or a dialog has the focus. Keys without a modifier never are in fields (WCAG 2.1.4). */
  inFields?: boolean;
  /** Runs again while the key is held down. */
  repeats?: boolean;
  when?(): boolean;
}

/** Every binding of the screens that are up; the help and the palette read it. */
export const useKeyBindings = create<{ bindings: readonly KeyBinding[] }>()(() => ({ bindings: [] }));

/** Binds keys while the component is up. Of two that are the same, the last that was bound wins. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const signature = bindings.map(({ keys, label }) => `${keys}\n${label}`).join('\n\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: bound again only when keys or labels change; handlers are read late
  useEffect(() => {
    const mine = latest.current.map((binding, i) => ({
      ...binding,
      run: (event: KeyboardEvent) => latest.current[i]?.run(event),
      when: () => latest.current[i]?.when?.() ?? true,
    }));
    useKeyBindings.setState(({ bindings: all }) => ({ bindings: [...all, ...mine] }));
    return () => {
      const gone = new Set<KeyBinding>(mine);
      useKeyBindings.setState(({ bindings: all }) => ({ bindings: all.filter((one) => !gone.has(one)) }));
    };
  }, [signature]);
}

const FIELDS = 'input, textarea, select, [contenteditable="true"]';
/** Where characters are written, or choose an entry by its first letter. */
const TYPED =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], [role="listbox"]';
const OPEN_MENU = '[role="menu"]:popover-open';
const isIn = (target: EventTarget | null, places: string) =>
  target instanceof Element && target.closest(places) !== null;
// An open menu has the characters also in the moment before it has the focus.
const isTyped = (target: EventTarget | null) =>
  isIn(target, TYPED) || document.querySelector(OPEN_MENU) !== null;
const dispatch = new KeyDispatch<KeyBinding>();

function mayRun(binding: KeyBinding, event: KeyboardEvent): boolean {
  const isSingle = isSingleKey(binding.keys);
  if (isSingle && !useKeySettings.getState().hasSingleKeys) return false;
  if (isSingle ? isTyped(event.target) : isIn(event.target, FIELDS) && !binding.inFields) return false;
  // A dialog on top has the keyboard to itself, unless the binding lives in it and says so.
  if (document.querySelector('dialog:modal') && !binding.inFields) return false;
  return binding.when?.() ?? true;
}

window.addEventListener('keydown', (event) => {
  if (event.defaultPrevented) return;
  const { bindings } = useKeyBindings.getState();
  const found = dispatch.press(event, bindings, (binding) => mayRun(binding, event), event.timeStamp);
  if (!found) return;
  event.preventDefault();
  found.run(event);
});
