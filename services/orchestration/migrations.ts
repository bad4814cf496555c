import type { MigrationSet } from '../kit/database/migrate.ts';
import orchestration from './migrations/20261130-01-orchestration.sql' with { type: 'text' };
import plans from './migrations/20261130-02-plans.sql' with { type: 'text' };
import parts from './migrations/20261130-03-parts.sql' with { type: 'text' };

export const MIGRATIONS: MigrationSet = {
  owner: 'orchestration',
  migrations: [
    { stamp: '20261130-01-orchestration', sql: orchestration },
    { stamp: '20261130-02-plans', sql: plans },
    { stamp: '20261130-03-parts', sql: parts },
  ],
};
