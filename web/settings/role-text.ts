import { texts } from '../i18n/text.ts';

/** Roles and what they may do. */
export const roleText = texts(
  {
    owner: { name: 'Owner', may: 'Does and decides everything, and manages people.' },
    operator: {
      name: 'Operator',
      may: 'Works with agents and decides what they ask; does not manage people.',
    },
    viewer: { name: 'Viewer', may: 'Looks at everything, changes nothing.' },
  },
  {
    owner: { name: 'Propriétaire', may: 'Fait et décide tout, et gère les personnes.' },
    operator: {
      name: 'Opérateur',
      may: 'Travaille avec les agents et décide de ce qu’ils demandent ; ne gère pas les personnes.',
    },
    viewer: { name: 'Lecteur', may: 'Voit tout, ne modifie rien.' },
  },
);
