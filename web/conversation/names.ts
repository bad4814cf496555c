import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';

export interface Named {
  kind: 'person' | 'agent' | 'service';
  name: string;
  /** What an agent is in the team; null for people. */
  title: string | null;
  /** Of an agent. */
  agentId: string | null;
}

const words = texts(
  { service: 'Control Center', formerAgent: 'An agent', person: 'A person' },
  { service: 'Control Center', formerAgent: 'Un agent', person: 'Une personne' },
);

function useAgents(ws: string) {
  return useQuery({
    queryKey: keys.agents(ws),
    queryFn: () =>
      ask(
        spaces.api.workspaces[':workspaceId'].agents.$get({
          param: { workspaceId: ws },
          query: { limit: '1000' },
        }),
      ),
  });
}

/** Who an actor is, for people to read. */
export function useNames(ws: string): (actor: string) => Named {
  const t = useText(words);
  const agents = useAgents(ws).data?.items;
  const members = useQuery({ queryKey: keys.members(), queryFn: () => ask(spaces.api.members.$get()) }).data
    ?.items;
  return useMemo(() => {
    const known = new Map<string, Named>();
    for (const { id, name, title } of agents ?? [])
      known.set(`agent:${id}`, { kind: 'agent', name, title, agentId: id });
    for (const { id, name } of members ?? [])
      known.set(`person:${id}`, { kind: 'person', name, title: null, agentId: null });
    return (actor) => known.get(actor) ?? unknownOf(actor, t);
  }, [agents, members, t]);
}

function unknownOf(actor: string, t: { service: string; formerAgent: string; person: string }): Named {
  if (actor.startsWith('agent:'))
    return { kind: 'agent', name: t.formerAgent, title: null, agentId: actor.slice('agent:'.length) };
  return actor.startsWith('person:')
    ? { kind: 'person', name: t.person, title: null, agentId: null }
    : { kind: 'service', name: t.service, title: null, agentId: null };
}
