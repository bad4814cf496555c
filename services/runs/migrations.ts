import type { MigrationSet } from '../kit/database/migrate.ts';
import runs from './migrations/20261130-01-runs.sql' with { type: 'text' };
import policy from './migrations/20261130-02-policy.sql' with { type: 'text' };
import flow from './migrations/20261130-03-flow.sql' with { type: 'text' };
import tokens from './migrations/20261130-04-tokens.sql' with { type: 'text' };
import steering from './migrations/20261130-05-steering.sql' with { type: 'text' };
import budgets from './migrations/20261130-06-budgets.sql' with { type: 'text' };
import checkpoints from './migrations/20261130-07-checkpoints.sql' with { type: 'text' };
import prompts from './migrations/20261130-08-prompts.sql' with { type: 'text' };
import delegation from './migrations/20261130-09-delegation.sql' with { type: 'text' };
import crashes from './migrations/20261130-10-crashes.sql' with { type: 'text' };
import history from './migrations/20261130-11-history.sql' with { type: 'text' };

export const MIGRATIONS: MigrationSet = {
  owner: 'runs',
  migrations: [
    { stamp: '20261130-01-runs', sql: runs },
    { stamp: '20261130-02-policy', sql: policy },
    { stamp: '20261130-03-flow', sql: flow },
    { stamp: '20261130-04-tokens', sql: tokens },
    { stamp: '20261130-05-steering', sql: steering },
    { stamp: '20261130-06-budgets', sql: budgets },
    { stamp: '20261130-07-checkpoints', sql: checkpoints },
    { stamp: '20261130-08-prompts', sql: prompts },
    { stamp: '20261130-09-delegation', sql: delegation },
    { stamp: '20261130-10-crashes', sql: crashes },
    { stamp: '20261130-11-history', sql: history },
  ],
};
