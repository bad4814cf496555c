import { create } from 'zustand';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'control-center.theme';

function stored(): Theme {
  const value = localStorage.getItem(STORED);
  return THEMES.find((one) => one === value) ?? 'system';
}

/** Sets what the tokens' `light-dark()` goes by; the system's own choice needs nothing. */
function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

interface ThemeState {
  theme: Theme;
  choose(theme: Theme): void;
}

export const useTheme = create<ThemeState>()((set) => ({
  theme: stored(),
  choose(theme) {
    localStorage.setItem(STORED, theme);
    apply(theme);
    set({ theme });
  },
}));
apply(useTheme.getState().theme);
