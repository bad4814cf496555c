import { useQuery } from '@tanstack/react-query';
import { clockTime } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { placeText } from './place-text.ts';
import { agentsQuery, plansQuery, runQuery, spacesQuery } from './shell-queries.ts';

/** What the place at `path` (relative to the workspace) is called: a space by its name, a plan by its goal. Null until known. */
export function usePlaceTitle(ws: string, path: string): string | null {
  const t = useText(placeText);
  const [, noun = '', ...rest] = path.split('/');
  const id = rest.at(-1) ?? null;
  const named = useEntityName(ws, noun, id);
  switch (noun) {
    case 'inbox':
    case 'org':
    case 'settings':
      return t[noun];
    case 'agents':
      // The address of an agent that is not there yet.
      return id === null ? t.agents : id === 'new' ? t.newAgent : named;
    case 'plans':
      return id === null ? t.plans : named;
    default:
      return named;
  }
}

function useEntityName(ws: string, noun: string, id: string | null): string | null {
  const t = useText(placeText);
  const isRun = noun === 'runs' && id !== null;
  const spaces = useQuery({ ...spacesQuery(ws), enabled: noun === 'spaces' });
  const plans = useQuery({ ...plansQuery(ws), enabled: noun === 'plans' && id !== null });
  const agents = useQuery({ ...agentsQuery(ws), enabled: isRun || (noun === 'agents' && id !== null) });
  const run = useQuery({ ...runQuery(ws, id ?? ''), enabled: isRun });
  const agentName = (agentId: string | null | undefined) =>
    agents.data?.items.find((agent) => agent.id === agentId)?.name ?? null;
  switch (noun) {
    case 'spaces':
      return spaces.data?.items.find((space) => space.id === id)?.name ?? null;
    case 'plans':
      return (
        plans.data?.items
          .find((plan) => plan.id === id)
          ?.goal.trim()
          .split('\n')[0] ?? null
      );
    case 'agents':
      return agentName(id);
    default:
      return run.data ? t.runOf(agentName(run.data.agentId) ?? t.run, clockTime(run.data.createdAt)) : null;
  }
}
