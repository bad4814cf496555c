CREATE TABLE runTokens (
  digest TEXT PRIMARY KEY,
  runId TEXT NOT NULL REFERENCES runs (id),
  createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX runTokensByRun ON runTokens (runId);
CREATE TABLE mcpCalls (
  runId TEXT NOT NULL REFERENCES runs (id),
  callId TEXT NOT NULL,
  name TEXT NOT NULL,
  inputDigest TEXT NOT NULL,
  heldBy TEXT,
  waitingFor TEXT,
  startedAt INTEGER,
  finishedAt INTEGER,
  content TEXT,
  isError INTEGER,
  createdAt INTEGER NOT NULL,
  PRIMARY KEY (runId, callId)
) STRICT;
CREATE INDEX mcpCallsByInput ON mcpCalls (runId, inputDigest);
CREATE INDEX mcpCallsWaiting ON mcpCalls (waitingFor) WHERE waitingFor IS NOT NULL;
