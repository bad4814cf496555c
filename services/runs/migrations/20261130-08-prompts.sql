-- What the starts of a run sent before its conversation, once for each that differs.
CREATE TABLE runPrompts (
  runId TEXT NOT NULL REFERENCES runs (id),
  digest TEXT NOT NULL,
  system TEXT NOT NULL,
  at INTEGER NOT NULL,
  lastAt INTEGER NOT NULL,
  PRIMARY KEY (runId, digest)
) STRICT;
CREATE INDEX runsByAgentLast ON runs (agentId, coalesce(endedAt, startedAt, createdAt));
