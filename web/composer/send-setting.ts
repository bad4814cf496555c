import type { KeyboardEvent } from 'react';
import { create } from 'zustand';
import { isComposing } from './composing-key.ts';

const STORED = 'control-center.enter-sends';

/** Where the keyboard is on the glass, Enter is the only way to a new line. */
const isTouch = () => matchMedia('(pointer: coarse)').matches;

interface SendSetting {
  /** Else Enter begins a new line. Mod+Enter sends in both. */
  enterSends: boolean;
  setEnterSends(on: boolean): void;
}

export const useSendSetting = create<SendSetting>()((set) => ({
  enterSends: (localStorage.getItem(STORED) ?? (isTouch() ? 'off' : 'on')) === 'on',
  setEnterSends(on) {
    localStorage.setItem(STORED, on ? 'on' : 'off');
    set({ enterSends: on });
  },
}));

/** Tells a press that sends what a field of several lines holds, by what the person has Enter do. */
export function useSendKey(): (event: KeyboardEvent) => boolean {
  const { enterSends } = useSendSetting();
  return (event) => {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    return key === 'Enter' && !shiftKey && (enterSends || ctrlKey || metaKey) && !isComposing(event);
  };
}
