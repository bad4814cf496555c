import { create } from 'zustand';

/** What the person opened or closed, by key: rows come and go as the list scrolls, and have to come back as they were. */
const useOpened = create<Record<string, boolean>>()(() => ({}));

export function useOpen(key: string, isOpenFirst = false): [isOpen: boolean, toggle: () => void] {
  const isOpen = useOpened((all) => all[key]) ?? isOpenFirst;
  return [isOpen, () => useOpened.setState({ [key]: !isOpen })];
}
