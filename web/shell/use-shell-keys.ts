import { useLocation } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { everywhereText } from '../keys/everywhere.ts';
import { useKeys } from '../keys/registry.ts';
import { closeDialog, openDialog, type ShellDialog, useShellDialog } from './dialogs.ts';
import { tabBeside, tabsOf, useOpenTabs } from './open-tabs.ts';
import { foldSidebar, openDrawer, usePanes } from './panes.ts';
import { placeText } from './place-text.ts';

const words = texts(
  {
    goTo: (place: string) => `Go to ${place}`,
    palette: 'Search, or do something',
    help: 'Show the keys',
    fold: 'Fold or unfold the sidebar',
    newSpace: 'New space',
    next: 'Next tab',
    previous: 'Previous tab',
  },
  {
    goTo: (place: string) => `Aller à : ${place}`,
    palette: 'Chercher, ou agir',
    help: 'Afficher les touches',
    fold: 'Replier ou déplier la barre latérale',
    newSpace: 'Nouvel espace',
    next: 'Onglet suivant',
    previous: 'Onglet précédent',
  },
);

const toggle = (dialog: ShellDialog) =>
  useShellDialog.getState().dialog?.kind === dialog.kind ? closeDialog() : openDialog(dialog);

/** The keys that do the same on every screen of a workspace. */
export function useShellKeys(ws: string, isNarrow: boolean): void {
  const t = useText(words);
  const places = useText(placeText);
  const [path, navigate] = useLocation();
  const { everywhere: group } = useText(everywhereText);
  const goTo = (keys: string, place: 'inbox' | 'agents' | 'org' | 'plans' | 'settings') => ({
    ...{ keys, group, label: t.goTo(places[place]), run: () => navigate(`/${place}`) },
  });
  const step = (by: 1 | -1) => {
    const to = tabBeside(tabsOf(ws)(useOpenTabs.getState()), path, by);
    if (to !== null) navigate(to);
  };
  const fold = () => {
    const { isDrawerOpen, isSidebarFolded } = usePanes.getState();
    if (isNarrow) openDrawer(!isDrawerOpen);
    else foldSidebar(!isSidebarFolded);
  };
  useKeys([
    { keys: '$mod+k', label: t.palette, group, inFields: true, run: () => toggle({ kind: 'palette' }) },
    { keys: '[Shift]+?', label: t.help, group, run: () => openDialog({ kind: 'keys' }) },
    goTo('g i', 'inbox'),
    goTo('g a', 'agents'),
    goTo('g o', 'org'),
    goTo('g p', 'plans'),
    goTo('g s', 'settings'),
    { keys: 'g n', label: t.newSpace, group, run: () => openDialog({ kind: 'newSpace' }) },
    { keys: '[', label: t.fold, group, run: fold },
    { keys: '$mod+ArrowRight', label: t.next, group, run: () => step(1) },
    { keys: '$mod+ArrowLeft', label: t.previous, group, run: () => step(-1) },
  ]);
}
