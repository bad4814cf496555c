import { texts } from '../i18n/text.ts';

/** Names of the places of a workspace. */
export const placeText = texts(
  {
    inbox: 'Inbox',
    agents: 'Agents',
    newAgent: 'New agent',
    org: 'Org chart',
    plans: 'Plans',
    settings: 'Settings',
    space: 'Space',
    plan: 'Plan',
    run: 'Run',
    agent: 'Agent',
    runOf: (agent: string, time: string) => `${agent} · ${time}`,
  },
  {
    inbox: 'Boîte de réception',
    agents: 'Agents',
    newAgent: 'Nouvel agent',
    org: 'Organigramme',
    plans: 'Plans',
    settings: 'Réglages',
    space: 'Espace',
    plan: 'Plan',
    run: 'Exécution',
    agent: 'Agent',
    runOf: (agent: string, time: string) => `${agent} · ${time}`,
  },
);
