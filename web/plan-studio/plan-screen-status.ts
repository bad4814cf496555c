import type {
  Orchestration,
  OrchestrationDetail,
} from '../../services/orchestration/orchestrations/orchestration.ts';
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
    changes: 'Changes requested',
    suspended: 'Paused',
  },
  {
    proposed: 'En attente d’approbation',
    approved: 'Approuvé, préparation en cours',
    executing: 'En cours d’exécution',
    synthesizing: 'Mise en commun des résultats',
    completed: 'Terminé',
    failed: 'Échoué',
    cancelled: 'Annulé',
    changes: 'Modifications demandées',
    suspended: 'En pause',
  },
);

type PlanState = Orchestration['status'] | 'changes' | 'suspended';

const WORDS: Record<PlanState, StatusWord> = {
  proposed: 'awaiting',
  approved: 'running',
  executing: 'running',
  synthesizing: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  changes: 'paused',
  suspended: 'paused',
};

type PlanFacts = Pick<Orchestration, 'status' | 'changesRequestedRevision'> &
  Partial<Pick<OrchestrationDetail, 'pipelineStatus'>>;

/** What a plan stands at: one that was sent back waits for its author, one whose budget is used up for a larger one. */
export function planState({ status, changesRequestedRevision, pipelineStatus }: PlanFacts): PlanState {
  if (status === 'proposed' && changesRequestedRevision !== null) return 'changes';
  return pipelineStatus === 'suspended' ? 'suspended' : status;
}

/** The shape of what a plan stands at. */
export const statusWord = (plan: PlanFacts): StatusWord => WORDS[planState(plan)];
