import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface Panes {
  isSidebarFolded: boolean;
  /** On narrow screens the sidebar is a drawer. */
  isDrawerOpen: boolean;
}

export const usePanes = create<Panes>()(
  persist((): Panes => ({ isSidebarFolded: false, isDrawerOpen: false }), {
    name: 'control-center.panes',
    version: 1,
    partialize: ({ isSidebarFolded }) => ({ isSidebarFolded }) as Panes,
  }),
);

export const foldSidebar = (isSidebarFolded: boolean): void => {
  usePanes.setState({ isSidebarFolded });
};
export const openDrawer = (isDrawerOpen: boolean): void => {
  usePanes.setState({ isDrawerOpen });
};
