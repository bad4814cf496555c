-- What people wrote to a run while it worked. Of one message, each agent that it wakes has one row or a run of its own.
CREATE TABLE runMessages (
  seq INTEGER PRIMARY KEY,
  messageId TEXT NOT NULL,
  agentId TEXT NOT NULL,
  runId TEXT NOT NULL REFERENCES runs (id),
  author TEXT NOT NULL,
  body TEXT NOT NULL,
  at INTEGER NOT NULL,
  takenAt INTEGER,
  UNIQUE (messageId, agentId)
) STRICT;
CREATE INDEX runMessagesByRun ON runMessages (runId, takenAt);
ALTER TABLE runs ADD COLUMN maxTurns INTEGER;
-- Since when it waits or is paused.
ALTER TABLE runs ADD COLUMN parkedAt INTEGER;
ALTER TABLE runs ADD COLUMN pauseRequestedBy TEXT;
ALTER TABLE runs ADD COLUMN pauseRequestedAt INTEGER;
-- A run that trouble of the model paused goes on by itself; what is counted starts anew when there are more answers than then.
ALTER TABLE runs ADD COLUMN resumeAt INTEGER;
ALTER TABLE runs ADD COLUMN resumeTries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN troubleSince INTEGER;
ALTER TABLE runs ADD COLUMN troubleAnswers INTEGER;
-- How often a server went down while the run was live, with as many answers as now.
ALTER TABLE runs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN crashAnswers INTEGER;
-- Who holds the run's work, and what its working trees were when that began.
ALTER TABLE runs ADD COLUMN takenOverBy TEXT;
ALTER TABLE runs ADD COLUMN takenOver TEXT;
CREATE INDEX runsByResume ON runs (resumeAt) WHERE resumeAt IS NOT NULL;
CREATE INDEX runsTakenOver ON runs (conversationId) WHERE takenOverBy IS NOT NULL;
