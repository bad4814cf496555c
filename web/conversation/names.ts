import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { texts, useText } from '../i18n/text.ts';
import { visibleText } from '../ui/visible-text.ts';

export interface Named {
  kind: 'person' | 'agent' | 'service';
  name: string;
  /** What an agent is in the team; null for people. */
  title: string | null;
  /** Of an agent. */
  agentId: string | null;
}

const words = texts(
  {
    ...{ service: 'Control Center', formerAgent: 'An agent', person: 'A person' },
    formerMember: (name: string) => `${name} (former member)`,
  },
  {
    ...{ service: 'Control Center', formerAgent: 'Un agent', person: 'Une personne' },
    formerMember: (name: string) => `${name} (n’est plus membre)`,
  },
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

/** Who an actor is, for people to read; who left keeps their name, and no name passes for another by what is not seen in it. */
export function useNames(ws: string): (actor: string) => Named {
  const t = useText(words);
  const agents = useAgents(ws).data?.items;
  const members = useQuery({ queryKey: keys.members(), queryFn: () => ask(spaces.api.members.$get()) }).data;
  return useMemo(() => {
    const known = new Map<string, Named>();
    for (const { id, name, title } of agents ?? [])
      known.set(`agent:${id}`, { kind: 'agent', name: visibleText(name), title, agentId: id });
    for (const { id, name } of members?.items ?? []) known.set(`person:${id}`, personOf(visibleText(name)));
    for (const { id, name } of members?.former ?? [])
      known.set(`person:${id}`, personOf(t.formerMember(visibleText(name))));
    return (actor) => known.get(actor) ?? unknownOf(actor, t);
  }, [agents, members, t]);
}

const personOf = (name: string): Named => ({ kind: 'person', name, title: null, agentId: null });

function unknownOf(actor: string, t: { service: string; formerAgent: string; person: string }): Named {
  if (actor.startsWith('agent:'))
    return { kind: 'agent', name: t.formerAgent, title: null, agentId: actor.slice('agent:'.length) };
  return actor.startsWith('person:')
    ? personOf(t.person)
    : { kind: 'service', name: t.service, title: null, agentId: null };
}
