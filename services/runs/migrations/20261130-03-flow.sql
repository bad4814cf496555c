ALTER TABLE runs ADD COLUMN rootRunId TEXT;
ALTER TABLE runs ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN hasContract INTEGER NOT NULL DEFAULT 1;
UPDATE runs SET (rootRunId, depth) = (
  WITH RECURSIVE up (id, parentRunId, distance) AS (
    SELECT p.id, p.parentRunId, 1 FROM runs p WHERE p.id = runs.parentRunId
    UNION ALL
    SELECT p.id, p.parentRunId, distance + 1 FROM runs p JOIN up ON p.id = up.parentRunId
  )
  SELECT id, distance FROM up WHERE up.parentRunId IS NULL
) WHERE parentRunId IS NOT NULL;
CREATE INDEX runsByParent ON runs (parentRunId);
CREATE INDEX runsByRoot ON runs (rootRunId, phase);
