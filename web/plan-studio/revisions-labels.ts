import { texts } from '../i18n/text.ts';

/** Names of what differs between two versions of a plan. */
export const fieldLabels = texts(
  {
    title: 'Title',
    description: 'Description',
    role: 'Role',
    needs: 'Depends on',
    outputSchema: 'Output schema',
    deleted: 'Deletion',
    restored: 'Restoring',
    goal: 'Goal',
    roles: 'Roles',
    research: 'Research',
    discussion: 'Discussion',
    synthesis: 'Synthesis',
    budgetMicros: 'Budget',
  },
  {
    title: 'Titre',
    description: 'Description',
    role: 'Rôle',
    needs: 'Dépend de',
    outputSchema: 'Schéma du résultat',
    deleted: 'Suppression',
    restored: 'Rétablissement',
    goal: 'Objectif',
    roles: 'Rôles',
    research: 'Recherche',
    discussion: 'Discussion',
    synthesis: 'Synthèse',
    budgetMicros: 'Budget',
  },
);
