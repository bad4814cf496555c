import { texts } from '../i18n/text.ts';

export const statusText = texts(
  {
    pending: 'Pending',
    ready: 'Ready',
    running: 'Running',
    paused: 'Paused',
    blocked: 'Blocked',
    awaiting: 'Waiting for you',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
    skipped: 'Skipped',
    deferred: 'Deferred',
    idle: 'Idle',
    offline: 'Offline',
  },
  {
    pending: 'En attente',
    ready: 'Prêt',
    running: 'En cours',
    paused: 'En pause',
    blocked: 'Bloqué',
    awaiting: 'Vous attend',
    done: 'Terminé',
    failed: 'Échoué',
    cancelled: 'Annulé',
    skipped: 'Ignoré',
    deferred: 'Différé',
    idle: 'Inactif',
    offline: 'Hors ligne',
  },
);
export type StatusWord = keyof typeof statusText.en;
