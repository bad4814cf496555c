import { plural, texts } from '../../i18n/text.ts';

/** Words of taking back what a run did. */
export const undoText = texts(
  {
    close: 'Close',
    cancel: 'Cancel',
    undoTitle: (who: string) => `Undo work of ${who}`,
    undoWhat: 'What to take back',
    undoBoth: 'Files and conversation',
    undoFiles: 'Files only',
    undoTalk: 'Conversation only',
    undoBackTo: 'Back to',
    undoStart: 'Before its first answer',
    undoTurn: (n: number, tools: string) => `After answer ${n}${tools ? `, then ${tools}` : ''}`,
    undoEndedHint: 'This run is over, so its conversation can only be taken back whole.',
    undoBusy: 'Pause or stop the run first: what is at work cannot be taken back.',
    undoNone: 'Nothing was changed that could be taken back: there is no checkpoint.',
    undoConfirm: 'Take it back',
    undoConfirmHint:
      'Files go back to what they were then. With “Files only” you can bring them forward again afterwards.',
    undoDone: (files: number) => `Taken back. ${plural(files, 'file', 'files')} changed.`,
    undoRedo: 'Bring them back',
  },
  {
    close: 'Fermer',
    cancel: 'Annuler',
    undoTitle: (who: string) => `Annuler du travail de ${who}`,
    undoWhat: 'Ce qu’il faut retirer',
    undoBoth: 'Fichiers et conversation',
    undoFiles: 'Fichiers seulement',
    undoTalk: 'Conversation seulement',
    undoBackTo: 'Revenir',
    undoStart: 'Avant sa première réponse',
    undoTurn: (n: number, tools: string) => `Après la réponse ${n}${tools ? `, puis ${tools}` : ''}`,
    undoEndedHint: 'Cette exécution est finie\u202f: sa conversation ne peut être retirée qu’en entier.',
    undoBusy:
      'Mettez d’abord l’exécution en pause ou arrêtez-la\u202f: ce qui est en cours ne peut être retiré.',
    undoNone: 'Rien n’a été changé qui puisse être retiré\u202f: il n’y a pas de point de contrôle.',
    undoConfirm: 'Retirer',
    undoConfirmHint:
      'Les fichiers redeviennent ce qu’ils étaient alors. Avec «\u202fFichiers seulement\u202f», vous pourrez les rétablir ensuite.',
    undoDone: (files: number) => `Retiré. ${plural(files, 'fichier changé', 'fichiers changés')}.`,
    undoRedo: 'Les rétablir',
  },
);
