import { create } from 'zustand';

export const LANGUAGES = { en: 'English', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = 'control-center.language';

function first(): Language {
  const chosen = localStorage.getItem(STORED) ?? navigator.language.slice(0, 2);
  return chosen === 'fr' ? 'fr' : 'en';
}

interface LanguageState {
  language: Language;
  choose(language: Language): void;
}

export const useLanguage = create<LanguageState>()((set) => ({
  language: first(),
  choose(language) {
    localStorage.setItem(STORED, language);
    document.documentElement.lang = language;
    set({ language });
  },
}));
document.documentElement.lang = useLanguage.getState().language;
