import type { ErrorFamily } from '../../services/runs/harness/outcome.ts';
import { type Texts, texts, useText } from '../i18n/text.ts';

interface FamilyWords {
  /** In a few words, as the head of a line. */
  label: string;
  /** What mends it, as a sentence. */
  mend: string;
}

const en = {
  silentRun: { label: 'It gave no result', mend: 'Write to it again and say what you want of it.' },
  inactivity: { label: 'It was not heard of for too long', mend: 'Write to it again to try once more.' },
  overloaded: { label: 'The model’s provider is overloaded', mend: 'This passes; it can be tried again.' },
  rateLimited: {
    label: 'The model’s provider limits how much may be asked',
    mend: 'This passes; it can be tried again.',
  },
  authentication: {
    label: 'No valid key for the model’s provider',
    mend: 'Whoever runs the server has to set a valid key.',
  },
  contextOverflow: {
    label: 'The conversation is too long for the model',
    mend: 'Go on in a new conversation, or choose a model that holds more.',
  },
  refused: { label: 'The model refused', mend: 'Ask in other words, or choose another model.' },
  toolFailure: {
    label: 'A tool could not do its work',
    mend: 'Mend what it names, such as a full disk or a repository, then let it try again.',
  },
  sandbox: {
    label: 'Commands could not be kept in their sandbox',
    mend: 'Settings say what is enforced on this machine.',
  },
  budget: { label: 'The budget is used up', mend: 'Raise the budget, then let it go on.' },
  cancelled: { label: 'It was stopped', mend: 'Write to it again to begin anew.' },
  crashed: { label: 'Control Center failed inside', mend: 'The server’s log has the cause.' },
  invalidRequest: {
    label: 'What was asked was not accepted',
    mend: 'Look at the agent’s model and settings.',
  },
  network: { label: 'Something could not be reached', mend: 'This may pass; it can be tried again.' },
} satisfies Record<ErrorFamily, FamilyWords>;

const familyText: Texts<Record<ErrorFamily | 'unknown', FamilyWords>> = texts(
  { ...en, unknown: { label: 'It went wrong', mend: 'The run says more.' } },
  {
    silentRun: { label: 'Aucun résultat', mend: 'Écrivez-lui de nouveau et dites ce que vous attendez.' },
    inactivity: { label: 'Silence trop long', mend: 'Écrivez-lui de nouveau pour réessayer.' },
    overloaded: {
      label: 'Le fournisseur du modèle est surchargé',
      mend: 'Cela passe\u202f; un nouvel essai est possible.',
    },
    rateLimited: {
      label: 'Le fournisseur du modèle limite les demandes',
      mend: 'Cela passe\u202f; un nouvel essai est possible.',
    },
    authentication: {
      label: 'Pas de clé valable pour le fournisseur du modèle',
      mend: 'La personne qui gère le serveur doit y mettre une clé valable.',
    },
    contextOverflow: {
      label: 'La conversation est trop longue pour le modèle',
      mend: 'Continuez dans une nouvelle conversation, ou choisissez un modèle de plus grande capacité.',
    },
    refused: {
      label: 'Le modèle a refusé',
      mend: 'Demandez autrement, ou choisissez un autre modèle.',
    },
    toolFailure: {
      label: 'Un outil n’a pas pu faire son travail',
      mend: 'Réparez ce qu’il nomme, par exemple un disque plein ou un dépôt, puis laissez-le réessayer.',
    },
    sandbox: {
      label: 'Les commandes n’ont pas pu être isolées',
      mend: 'Les réglages disent ce qui est garanti sur cette machine.',
    },
    budget: { label: 'Le budget est épuisé', mend: 'Relevez le budget, puis laissez continuer.' },
    cancelled: { label: 'Arrêté', mend: 'Écrivez-lui de nouveau pour recommencer.' },
    crashed: {
      label: 'Control Center a échoué en interne',
      mend: 'Le journal du serveur en donne la cause.',
    },
    invalidRequest: {
      label: 'La demande n’a pas été acceptée',
      mend: 'Voyez le modèle et les réglages de l’agent.',
    },
    network: {
      label: 'Quelque chose n’a pas pu être joint',
      mend: 'Cela peut passer\u202f; un nouvel essai est possible.',
    },
    unknown: { label: 'Cela a échoué', mend: 'L’exécution en dit plus.' },
  },
);

/** What went wrong with a run, and what mends it, for each family of errors; one that is not known here is told without its code. */
export function useFamilyWords(): (family: string) => FamilyWords {
  const t = useText(familyText);
  return (family) => (Object.hasOwn(t, family) ? t[family as ErrorFamily] : t.unknown);
}
