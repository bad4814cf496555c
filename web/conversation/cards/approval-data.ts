import { useMutation, useQuery } from '@tanstack/react-query';
import type { Approval, NewDecision } from '../../../services/spaces/approvals/schema.ts';
import { ask, spaces } from '../../api/client.ts';
import { hasCode } from '../../api/problem.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { faultSentence } from '../../i18n/fault-words.ts';
import { dropWritten } from '../../inbox/written.ts';
import { notify, notifyFailure } from '../../ui/notices.tsx';

const at = spaces.api.workspaces[':workspaceId'].approvals[':id'];

export function useApproval(ws: string, id: string) {
  return useQuery({
    queryKey: keys.approval(ws, id),
    queryFn: async () => (await ask(at.$get({ param: { workspaceId: ws, id } }))) as Approval,
  });
}

export const isOpen = ({ status }: Pick<Approval, 'status'>): boolean =>
  status === 'pending' || status === 'unattended';

/**
 * A decision about exactly what the person saw. Whoever was first wins: the other is told who that was, and sees what stands.
 * What was written for it goes once it is decided so, and not before.
 */
export function useDecision(ws: string, approval: Approval) {
  const { id, digest } = approval;
  return useMutation({
    mutationFn: (decision: NewDecision) =>
      ask(at.decision.$post({ param: { workspaceId: ws, id }, json: { digest, ...decision } })),
    onSuccess: (decided) => {
      queryClient.setQueryData(keys.approval(ws, id), decided);
      dropWritten(approval);
    },
    onError: (error) => {
      if (hasCode(error, 'already_decided')) notify(faultSentence(error));
      else notifyFailure(error);
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: keys.approval(ws, id) });
      void queryClient.invalidateQueries({ queryKey: keys.inbox(ws) });
    },
  });
}
