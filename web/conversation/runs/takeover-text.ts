import { texts } from '../../i18n/text.ts';

/** Words of taking a run over and handing it back. */
export const takeoverText = texts(
  {
    takingOver: 'Taking over…',
    handBack: 'Hand back',
    takeoverTitle: (who: string) => `Take over from ${who}`,
    takeoverWhat:
      'The agent pauses after the call it is making. You have its working tree, and it touches nothing until you hand it back. When you do, it reads what changed and what you wrote.',
    takeoverNow: 'Take over now',
    stillBusy: 'The call is still being made. The run is reserved for you: take it over again in a while.',
    heldTitle: (who: string) => `You have taken over from ${who}`,
    heldWhere: 'The files are here, on the server’s machine:',
    heldNothing: 'This conversation has no working tree: you hold the conversation alone.',
    branch: (name: string) => `branch ${name}`,
    handBackTitle: (who: string) => `Hand back to ${who}`,
    note: 'Note for the agent',
    noteHint: 'What you did, and what it is to do next. It also sees which files changed.',
    close: 'Close',
    cancel: 'Cancel',
  },
  {
    takingOver: 'Prise en main…',
    handBack: 'Rendre la main',
    takeoverTitle: (who: string) => `Prendre la main de ${who}`,
    takeoverWhat:
      'L’agent se met en pause après l’appel en cours. Vous avez son dossier de travail, et il ne touche à rien jusqu’à ce que vous lui rendiez la main. Il lit alors ce qui a changé et ce que vous avez écrit.',
    takeoverNow: 'Prendre la main',
    stillBusy:
      'L’appel est toujours en cours. L’exécution vous est réservée\u202f: reprenez la main dans un moment.',
    heldTitle: (who: string) => `Vous avez pris la main de ${who}`,
    heldWhere: 'Les fichiers sont ici, sur la machine du serveur\u202f:',
    heldNothing: 'Cette conversation n’a pas de dossier de travail\u202f: vous tenez la conversation seule.',
    branch: (name: string) => `branche ${name}`,
    handBackTitle: (who: string) => `Rendre la main à ${who}`,
    note: 'Note pour l’agent',
    noteHint:
      'Ce que vous avez fait, et ce qu’il doit faire ensuite. Il voit aussi quels fichiers ont changé.',
    close: 'Fermer',
    cancel: 'Annuler',
  },
);
