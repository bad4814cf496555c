-- A cap belongs to a target (an orchestration, a run, every run, an agent, the workspace); what is spent to a scope, which for
-- agents and the workspace is a month of it.
CREATE TABLE budgetCaps (
  target TEXT PRIMARY KEY,
  capMicros INTEGER NOT NULL,
  setAt INTEGER NOT NULL
) STRICT;
INSERT INTO budgetCaps SELECT scope, capMicros, createdAt FROM budgets WHERE capMicros IS NOT NULL;
-- The most that calls of unknown cost can have cost, and the caps of which it was said that they are nearly used, and used up.
ALTER TABLE budgets ADD COLUMN unknownMicros INTEGER NOT NULL DEFAULT 0;
ALTER TABLE budgets ADD COLUMN warnedCapMicros INTEGER;
ALTER TABLE budgets ADD COLUMN reachedCapMicros INTEGER;
UPDATE budgets SET warnedCapMicros = CASE WHEN warnedAt IS NOT NULL THEN capMicros END,
  reachedCapMicros = CASE WHEN reachedAt IS NOT NULL THEN capMicros END;
ALTER TABLE budgets DROP COLUMN capMicros;
ALTER TABLE budgets DROP COLUMN warnedAt;
ALTER TABLE budgets DROP COLUMN reachedAt;
-- What was held back for calls died with the process that made them.
DROP TABLE reservations;
CREATE TABLE reservations (
  runId TEXT NOT NULL REFERENCES runs (id),
  scope TEXT NOT NULL,
  amountMicros INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (runId, scope)
) STRICT;
CREATE INDEX reservationsByScope ON reservations (scope);
ALTER TABLE runs ADD COLUMN budgetStop TEXT;
