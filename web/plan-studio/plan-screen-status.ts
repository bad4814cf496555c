import type { Orchestration } from '../../services/orchestration/orchestrations/orchestration.ts';
import { texts } from '../i18n/text.ts';
import type { StatusWord } from '../ui/status-words.ts';

export const statusLabels = texts(
  {
    proposed: 'Waiting for approval',
    approved: 'Approved, getting ready',
    executing: 'Executing',
    synthesizing: 'Putting the results together',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  {
    proposed: 'En attente d’approbation',
    approved: 'Approuvé, préparation en cours',
    executing: 'En cours d’exécution',
    synthesizing: 'Mise en commun des résultats',
    completed: 'Terminé',
    failed: 'Échoué',
    cancelled: 'Annulé',
  },
);

const WORDS: Record<Orchestration['status'], StatusWord> = {
  proposed: 'awaiting',
  approved: 'running',
  executing: 'running',
  synthesizing: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** The shape of a plan's status; one that was sent back waits for its author and not for the person. */
export function statusWord({
  status,
  changesRequestedRevision,
}: Pick<Orchestration, 'status' | 'changesRequestedRevision'>): StatusWord {
  return status === 'proposed' && changesRequestedRevision !== null ? 'paused' : WORDS[status];
}
