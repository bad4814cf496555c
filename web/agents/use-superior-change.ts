import { useMutation } from '@tanstack/react-query';
import type { Agent } from '../../services/spaces/agents/schema.ts';
import { keys, queryClient } from '../api/queries.ts';
import { useText } from '../i18n/text.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { notify, notifyFailure } from '../ui/notices.tsx';
import { changeAgent } from './agent-data.ts';
import { agentText } from './agent-words.ts';
import { orgText } from './org-text.ts';

interface Change {
  agent: Pick<Agent, 'id' | 'name' | 'version' | 'reportsTo'>;
  /** Null for nobody. */
  superior: string | null;
}

/** Gives an agent another superior: shown at once, taken back where the server refuses, and with a way back where it does not. */
export function useSuperiorChange(ws: string) {
  const t = useText(orgText);
  const common = useText(agentText);
  const { queryKey } = agentsQuery(ws);
  const show = ({ agent, superior }: Change) =>
    queryClient.setQueryData(
      queryKey,
      (list) =>
        list && {
          ...list,
          items: list.items.map((one) => (one.id === agent.id ? { ...one, reportsTo: superior } : one)),
        },
    );
  const nameOf = (id: string) =>
    queryClient.getQueryData(queryKey)?.items.find((one) => one.id === id)?.name ?? id;
  const change = useMutation({
    mutationFn: ({ agent, superior }: Change) =>
      changeAgent(ws, agent.id, { reportsTo: superior, version: agent.version }),
    onMutate: async (wanted) => {
      await queryClient.cancelQueries({ queryKey });
      show(wanted);
    },
    onError: (error, { agent }) => {
      show({ agent, superior: agent.reportsTo });
      notifyFailure(error);
      void queryClient.invalidateQueries({ queryKey: keys.agents(ws) });
    },
    onSuccess: (after, { agent: { reportsTo }, superior }) => {
      const run = () => change.mutate({ agent: after, superior: reportsTo });
      const text = superior === null ? t.changedTop(after.name) : t.changed(after.name, nameOf(superior));
      notify(text, { action: { label: common.undo, run } });
    },
  });
  return {
    change: change.mutate,
    /** The agent whose change is on its way. */
    pendingId: change.isPending ? change.variables.agent.id : null,
  };
}
