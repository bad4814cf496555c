import { texts, useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { focusInstead } from './focus-field.ts';
import { useDesk, useIsEditable } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    group: 'Plan Studio',
    undo: 'Undo the last edit',
    redo: 'Redo',
    save: 'Save the edits now',
    outline: 'Graph or outline',
    revisions: 'Show or hide the revisions',
    talk: 'Show or hide the conversation',
  },
  {
    group: 'Plan Studio',
    undo: 'Annuler la dernière modification',
    redo: 'Rétablir',
    save: 'Enregistrer les modifications',
    outline: 'Graphe ou liste',
    revisions: 'Afficher ou masquer les révisions',
    talk: 'Afficher ou masquer la conversation',
  },
);

/** The keys of Plan Studio beside those of its canvas. */
export function PlanKeys() {
  const t = useText(words);
  const { actions, saver } = useDesk();
  const isEditable = useIsEditable();
  const { view, panel, hasTalk, go } = usePlanUrl();
  const when = () => isEditable;
  const group = t.group;
  useKeys([
    { keys: '$mod+z', label: t.undo, group, when, run: () => actions.undo() },
    { keys: '$mod+Shift+z', label: t.redo, group, when, run: () => actions.redo() },
    { keys: '$mod+s', label: t.save, group, when, inFields: true, run: () => void saver.flush() },
    {
      ...{ keys: '\\', label: t.outline, group },
      run: () => {
        go({ view: view === 'graph' ? 'outline' : 'graph' });
        focusInstead('stop');
      },
    },
    {
      ...{ keys: 'v', label: t.revisions, group },
      run: () => go({ panel: panel === 'revisions' ? 'details' : 'revisions' }),
    },
    { keys: 'c', label: t.talk, group, run: () => go({ hasTalk: !hasTalk }) },
  ]);
  return null;
}
