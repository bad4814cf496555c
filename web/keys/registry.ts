import { useEffect, useRef } from 'react';
import { tinykeys } from 'tinykeys';
import { create } from 'zustand';

export interface KeyBinding {
  /** tinykeys notation: `$mod+k`, `g i`, `Shift+?`. */
  keys: string;
  /** What it does, in the person's language; the help shows it. */
  label: string;
  /** Heading in the help. */
  group: string;
  run(event: KeyboardEvent): void;
  /** Also while a field has the focus. Keys without a modifier never are (WCAG 2.1.4). */
  inFields?: boolean;
  when?(): boolean;
}

/** Every binding of the screens that are up; the help reads it. */
export const useKeyBindings = create<{ bindings: readonly KeyBinding[] }>()(() => ({ bindings: [] }));

const FIELDS = 'input, textarea, select, [contenteditable="true"]';
const isField = (target: EventTarget | null) => target instanceof Element && target.closest(FIELDS) !== null;

/** Binds keys while the component is up. The last that was bound wins. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const signature = bindings.map(({ keys, label }) => `${keys}\n${label}`).join('\n\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: bound again only when keys or labels change; handlers are read late
  useEffect(() => {
    const mine = latest.current;
    useKeyBindings.setState(({ bindings: all }) => ({ bindings: [...all, ...mine] }));
    const unbind = tinykeys(
      window,
      Object.fromEntries(
        mine.map(({ keys }, i) => [keys, (event: KeyboardEvent) => call(latest.current[i], event)]),
      ),
    );
    return () => {
      unbind();
      useKeyBindings.setState(({ bindings: all }) => ({
        bindings: all.filter((one) => !mine.includes(one)),
      }));
    };
  }, [signature]);
}

function call(binding: KeyBinding | undefined, event: KeyboardEvent): void {
  if (!binding || event.defaultPrevented) return;
  if (isField(event.target) && !binding.inFields) return;
  // A dialog on top has the keyboard to itself, unless the binding lives in it and says so.
  if (document.querySelector('dialog:modal') && !binding.inFields) return;
  if (binding.when && !binding.when()) return;
  event.preventDefault();
  binding.run(event);
}
