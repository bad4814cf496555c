CREATE TABLE orchestrations (
  id TEXT PRIMARY KEY, key TEXT UNIQUE, goal TEXT NOT NULL, status TEXT NOT NULL, revision INTEGER NOT NULL,
  approvedRevision INTEGER, publishedRevision INTEGER NOT NULL DEFAULT 0, proposedBy TEXT NOT NULL, requestedBy TEXT,
  runId TEXT, spaceId TEXT NOT NULL, conversationId TEXT NOT NULL, messageId TEXT, parentTicketId TEXT, approvalId TEXT,
  budgetApprovalId TEXT, projectId TEXT, teamId TEXT, pipelineRunId TEXT, discussionSpaceId TEXT, workSpaceId TEXT,
  budgetMicros INTEGER NOT NULL, appliedBudgetMicros INTEGER, spentMicros INTEGER NOT NULL DEFAULT 0,
  costUnknown INTEGER NOT NULL DEFAULT 0, tokens TEXT NOT NULL, failureCode TEXT, failureMessage TEXT, deliverable TEXT,
  gaps TEXT, branch TEXT, settled INTEGER NOT NULL DEFAULT 0, lastAgentRevisionAt INTEGER, createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX orchestrationsStatus ON orchestrations (status, settled);
CREATE TABLE revisions (
  orchestrationId TEXT NOT NULL REFERENCES orchestrations (id), revision INTEGER NOT NULL, key TEXT UNIQUE,
  author TEXT NOT NULL, origin TEXT NOT NULL, rolledBackTo INTEGER, proposal TEXT NOT NULL, createdAt INTEGER NOT NULL,
  PRIMARY KEY (orchestrationId, revision)
) STRICT;
CREATE TABLE scaffoldItems (
  orchestrationId TEXT NOT NULL REFERENCES orchestrations (id), item TEXT NOT NULL, entityId TEXT NOT NULL,
  PRIMARY KEY (orchestrationId, item)
) STRICT;
CREATE TABLE plans (
  id TEXT PRIMARY KEY, key TEXT UNIQUE, goal TEXT NOT NULL, nodes TEXT NOT NULL, proposedBy TEXT NOT NULL, runId TEXT,
  spaceId TEXT NOT NULL, conversationId TEXT NOT NULL, messageId TEXT, createdAt INTEGER NOT NULL
) STRICT;
CREATE TABLE pipelines (
  id TEXT PRIMARY KEY, orchestrationId TEXT NOT NULL UNIQUE REFERENCES orchestrations (id), body TEXT NOT NULL,
  createdAt INTEGER NOT NULL
) STRICT;
CREATE TABLE engineEpoch (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL) STRICT;
CREATE TABLE pipelineRuns (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, status TEXT NOT NULL, createdAt INTEGER NOT NULL, endedAt INTEGER
) STRICT;
CREATE INDEX pipelineRunsSubject ON pipelineRuns (subject);
CREATE TABLE steps (
  pipelineRunId TEXT NOT NULL REFERENCES pipelineRuns (id), key TEXT NOT NULL, position INTEGER NOT NULL,
  state TEXT NOT NULL, announced TEXT NOT NULL, idempotent INTEGER NOT NULL, tolerateFailure INTEGER NOT NULL,
  timeoutMs INTEGER, maxAttempts INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 1, round INTEGER NOT NULL DEFAULT 1,
  fence INTEGER NOT NULL DEFAULT 0, epoch INTEGER NOT NULL DEFAULT 0, leaseUntil INTEGER, dueAt INTEGER NOT NULL DEFAULT 0,
  interrupted INTEGER NOT NULL DEFAULT 0, waived INTEGER NOT NULL DEFAULT 0, gate TEXT, error TEXT, startedAt INTEGER,
  endedAt INTEGER, PRIMARY KEY (pipelineRunId, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX stepsState ON steps (state, dueAt) WHERE state IN ('ready', 'running');
CREATE INDEX stepsGate ON steps (pipelineRunId, gate) WHERE gate IS NOT NULL;
CREATE TABLE stepNeeds (
  pipelineRunId TEXT NOT NULL, step TEXT NOT NULL, needs TEXT NOT NULL, PRIMARY KEY (pipelineRunId, step, needs)
) STRICT, WITHOUT ROWID;
CREATE INDEX stepNeedsReverse ON stepNeeds (pipelineRunId, needs, step);
CREATE TABLE stepSignals (
  pipelineRunId TEXT NOT NULL, gate TEXT NOT NULL, payload TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (pipelineRunId, gate)
) STRICT, WITHOUT ROWID;
CREATE TABLE outputs (
  pipelineRunId TEXT NOT NULL, step TEXT NOT NULL, fence INTEGER NOT NULL, body TEXT, storedAt INTEGER,
  PRIMARY KEY (pipelineRunId, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE stepRuns (
  runId TEXT PRIMARY KEY, pipelineRunId TEXT NOT NULL, step TEXT NOT NULL, status TEXT, costMicros INTEGER,
  input INTEGER NOT NULL DEFAULT 0, output INTEGER NOT NULL DEFAULT 0, cacheRead INTEGER NOT NULL DEFAULT 0,
  cacheWrite INTEGER NOT NULL DEFAULT 0, createdAt INTEGER NOT NULL, endedAt INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX stepRunsStep ON stepRuns (pipelineRunId, step);
CREATE TABLE orchestrationCursors (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
