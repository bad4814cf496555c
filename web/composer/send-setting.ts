import { create } from 'zustand';

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
