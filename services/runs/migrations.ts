import type { MigrationSet } from '../kit/database/migrate.ts';
import runs from './migrations/20261130-01-runs.sql' with { type: 'text' };

export const MIGRATIONS: MigrationSet = {
  owner: 'runs',
  migrations: [{ stamp: '20261130-01-runs', sql: runs }],
};
