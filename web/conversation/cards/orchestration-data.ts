import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  OrchestrationDetail,
  StepView,
} from '../../../services/orchestration/orchestrations/orchestration.ts';
import { ask, orchestration } from '../../api/client.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { dropWritten } from '../../inbox/written.ts';
import { notifyFailure } from '../../ui/notices.tsx';

const at = orchestration.api.workspaces[':workspaceId'].orchestrations[':id'];

export function useOrchestration(ws: string, id: string) {
  return useQuery({
    queryKey: keys.orchestration(ws, id),
    queryFn: () => ask(at.$get({ param: { workspaceId: ws, id } })),
  });
}

type Verb =
  | { verb: 'approve'; revision: number }
  | { verb: 'requestChanges'; revision: number; reason: string }
  | { verb: 'cancel' };

export function useOrchestrationAction(workspaceId: string, id: string) {
  const param = { workspaceId, id };
  return useMutation({
    mutationFn: (action: Verb): Promise<unknown> => {
      if (action.verb === 'approve')
        return ask(at.approve.$post({ param, json: { revision: action.revision } }));
      if (action.verb === 'cancel') return ask(at.cancel.$post({ param }));
      const { revision, reason } = action;
      return ask(at['request-changes'].$post({ param, json: { revision, reason } }));
    },
    onSuccess: (_answer, { verb }) => verb === 'requestChanges' && dropWritten(writtenFor(id)),
    onError: notifyFailure,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: keys.orchestration(workspaceId, id) });
      void queryClient.invalidateQueries({ queryKey: keys.inbox(workspaceId) });
    },
  });
}

/** What a proposal's texts are kept under, whichever of its revisions they are about. */
export const writtenFor = (orchestrationId: string) => ({
  ...{ id: orchestrationId, kind: 'orchestration' as const },
  arguments: { orchestrationId },
});

type CardState = Pick<OrchestrationDetail, 'status' | 'changesRequestedRevision'>;

/** The words for a card's state, as a key of the texts. */
export function stateKey({ status, changesRequestedRevision }: CardState) {
  return status === 'proposed' && changesRequestedRevision !== null ? 'changes' : status;
}

export interface Progress {
  all: number;
  done: number;
  failed: number;
}

type StepState = StepView['state'];

/** Steps in which nobody works say nothing about how far the work is. */
const COUNTED: readonly StepView['kind'][] = ['research', 'position', 'ticket', 'synthesis'];

/** How far the steps are in which somebody works. */
export function progressOf(steps: readonly Pick<StepView, 'state' | 'kind'>[]): Progress {
  const counted = steps.filter(({ kind }) => COUNTED.includes(kind));
  const having = (...states: StepState[]) => counted.filter(({ state }) => states.includes(state)).length;
  return {
    all: counted.length,
    done: having('done', 'skipped'),
    failed: having('failed'),
  };
}
