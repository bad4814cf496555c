import { create } from 'zustand';

const STORED = 'control-center.single-keys';

interface KeySettings {
  /** Whether keys without a modifier do something. Speech input and stray presses are reasons to turn them off (WCAG 2.1.4). */
  hasSingleKeys: boolean;
  setSingleKeys(on: boolean): void;
}

export const useKeySettings = create<KeySettings>()((set) => ({
  hasSingleKeys: localStorage.getItem(STORED) !== 'off',
  setSingleKeys(on) {
    localStorage.setItem(STORED, on ? 'on' : 'off');
    set({ hasSingleKeys: on });
  },
}));
