import { type KeyboardEvent, useState } from 'react';
import { isComposing } from './composing-key.ts';

interface FieldKeys {
  enterSends: boolean;
  /** Nothing is written, so that Up has nowhere to go. */
  isEmpty: boolean;
  isEditing: boolean;
  canCycle: boolean;
  onSend(): void;
  onEditLast(): void;
  onCancelEdit(): void;
  onCycle(): void;
  /** Escape for the second time in a row. */
  onStop(): void;
}

/**
 * What keys mean in the field. Shift+Tab changes the mode; after Escape it leaves the field as it does everywhere, so that the
 * keyboard is not trapped. Escape once more stops who is at work.
 */
export function useFieldKeys(on: FieldKeys) {
  const [isArmed, setArmed] = useState(false);
  const act = (event: KeyboardEvent<HTMLTextAreaElement>): (() => void) | null => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const isPlain = !ctrlKey && !metaKey && !altKey;
    if (key === 'Enter' && !altKey && !shiftKey && (ctrlKey || metaKey || on.enterSends)) return on.onSend;
    if (key === 'Tab' && shiftKey && isPlain && on.canCycle && !isArmed) return on.onCycle;
    if (key === 'ArrowUp' && isPlain && !shiftKey && on.isEmpty && !on.isEditing) return on.onEditLast;
    if (key !== 'Escape') return null;
    if (on.isEditing) return on.onCancelEdit;
    return isArmed ? on.onStop : () => undefined;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || event.key === 'Shift') return;
    const run = act(event);
    setArmed(event.key === 'Escape' && !on.isEditing && !isArmed);
    if (run === null) return;
    event.preventDefault();
    run();
  };
  return { isArmed, disarm: () => setArmed(false), onKeyDown };
}
