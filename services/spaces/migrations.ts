import type { MigrationSet } from '../kit/database/migrate.ts';
import workspaceTables from './migrations/20261130-01.sql' with { type: 'text' };
import guardrails from './migrations/20261130-02-guardrails.sql' with { type: 'text' };
import reviews from './migrations/20261130-03-reviews.sql' with { type: 'text' };
import findings from './migrations/20261130-04-findings.sql' with { type: 'text' };
import delegation from './migrations/20261130-05-delegation.sql' with { type: 'text' };
import turns from './migrations/20261130-06-turns.sql' with { type: 'text' };
import attachments from './migrations/20261130-07-attachments.sql' with { type: 'text' };
import audit from './migrations/20261130-08-audit.sql' with { type: 'text' };
import controlTables from './migrations/control-20261130-01.sql' with { type: 'text' };
import signIn from './migrations/control-20261130-02-sign-in.sql' with { type: 'text' };
import access from './migrations/control-20261130-03-access.sql' with { type: 'text' };

/** The service's tables in each workspace's own database. */
export const MIGRATIONS: MigrationSet = {
  owner: 'spaces',
  migrations: [
    { stamp: '20261130-01-spaces', sql: workspaceTables },
    { stamp: '20261130-02-guardrails', sql: guardrails },
    { stamp: '20261130-03-reviews', sql: reviews },
    { stamp: '20261130-04-findings', sql: findings },
    { stamp: '20261130-05-delegation', sql: delegation },
    { stamp: '20261130-06-turns', sql: turns },
    { stamp: '20261130-07-attachments', sql: attachments },
    { stamp: '20261130-08-audit', sql: audit },
  ],
};

/** The tables that no single workspace owns. */
export const CONTROL_MIGRATIONS: MigrationSet = {
  owner: 'spaces-control',
  migrations: [
    { stamp: '20261130-01-control', sql: controlTables },
    { stamp: '20261130-02-sign-in', sql: signIn },
    { stamp: '20261130-03-access', sql: access },
  ],
};
