import { create } from 'zustand';

/** What can lie over any screen. */
export type ShellDialog =
  | { kind: 'palette' }
  | { kind: 'keys' }
  | { kind: 'newWorkspace' }
  | { kind: 'newSpace' }
  | { kind: 'editSpace'; spaceId: string };

export const useShellDialog = create<{ dialog: ShellDialog | null }>()(() => ({ dialog: null }));

export const openDialog = (dialog: ShellDialog): void => useShellDialog.setState({ dialog });
export const closeDialog = (): void => useShellDialog.setState({ dialog: null });
