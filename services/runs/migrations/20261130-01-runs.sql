CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  key TEXT UNIQUE,
  agentId TEXT NOT NULL,
  agentName TEXT NOT NULL,
  spaceId TEXT,
  conversationId TEXT,
  parentRunId TEXT,
  triggerKind TEXT NOT NULL,
  triggerId TEXT,
  prompt TEXT NOT NULL,
  requestedBy TEXT,
  outputSchema TEXT,
  worktree TEXT,
  mode TEXT NOT NULL,
  profileVersion INTEGER NOT NULL,
  adapter TEXT NOT NULL,
  model TEXT NOT NULL,
  status TEXT NOT NULL,
  phase TEXT NOT NULL,
  liveness TEXT NOT NULL,
  errorFamily TEXT,
  summary TEXT,
  output TEXT,
  tools TEXT NOT NULL,
  inputTokens INTEGER NOT NULL DEFAULT 0,
  outputTokens INTEGER NOT NULL DEFAULT 0,
  cacheReadTokens INTEGER NOT NULL DEFAULT 0,
  cacheWriteTokens INTEGER NOT NULL DEFAULT 0,
  costMicros INTEGER DEFAULT 0,
  sandbox TEXT NOT NULL,
  branch TEXT,
  budgetScope TEXT,
  waitingFor TEXT,
  cancelRequested INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL DEFAULT 0,
  createdAt INTEGER NOT NULL,
  startedAt INTEGER,
  endedAt INTEGER
) STRICT;
CREATE INDEX runsByPhase ON runs (phase, createdAt);
CREATE INDEX runsByConversation ON runs (conversationId, phase);
CREATE INDEX runsByAgent ON runs (agentId, status, endedAt);
CREATE INDEX runsByBudget ON runs (budgetScope, phase);
CREATE INDEX runsByApproval ON runs (waitingFor);
CREATE TABLE runEntries (
  runId TEXT NOT NULL REFERENCES runs (id),
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  messageId TEXT,
  entry TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (runId, seq)
) STRICT;
CREATE UNIQUE INDEX runEntriesByMessage ON runEntries (runId, messageId) WHERE messageId IS NOT NULL;
CREATE TABLE budgets (
  scope TEXT PRIMARY KEY,
  capMicros INTEGER,
  spentMicros INTEGER NOT NULL DEFAULT 0,
  unknownCalls INTEGER NOT NULL DEFAULT 0,
  warnedAt INTEGER,
  reachedAt INTEGER,
  createdAt INTEGER NOT NULL
) STRICT;
CREATE TABLE reservations (
  runId TEXT PRIMARY KEY REFERENCES runs (id),
  scope TEXT NOT NULL REFERENCES budgets (scope),
  amountMicros INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX reservationsByScope ON reservations (scope);
CREATE TABLE worktrees (
  conversationId TEXT NOT NULL,
  repository TEXT NOT NULL,
  path TEXT NOT NULL,
  branch TEXT NOT NULL,
  base TEXT NOT NULL,
  conflicts TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  PRIMARY KEY (conversationId, repository)
) STRICT;
CREATE TABLE runsCursors (
  name TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT;
