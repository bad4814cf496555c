-- A worktree's files at one moment, as a commit of the runner's; without one, `note` says why there is none.
CREATE TABLE checkpoints (
  id TEXT PRIMARY KEY,
  runId TEXT NOT NULL REFERENCES runs (id),
  conversationId TEXT NOT NULL,
  repository TEXT NOT NULL,
  -- How many of the run's answers counted, before the one whose calls it was made for.
  turn INTEGER NOT NULL,
  -- That answer's place in the journal; 0 where none had come.
  answerSeq INTEGER,
  -- The undo it was made before.
  undoId TEXT,
  commitId TEXT,
  note TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX checkpointsByAnswer ON checkpoints (runId, answerSeq, repository) WHERE answerSeq IS NOT NULL;
CREATE UNIQUE INDEX checkpointsByUndo ON checkpoints (undoId, repository) WHERE undoId IS NOT NULL;
CREATE INDEX checkpointsByConversation ON checkpoints (conversationId, at);
-- What people take back; while one has not ended, no run of its conversation starts.
CREATE TABLE undos (
  id TEXT PRIMARY KEY,
  runId TEXT NOT NULL REFERENCES runs (id),
  conversationId TEXT,
  turn INTEGER,
  checkpointId TEXT,
  what TEXT NOT NULL,
  -- Whether the run's journal goes back, or all of the run is left out of later prompts; neither for files alone.
  talk TEXT,
  targets TEXT NOT NULL,
  by TEXT NOT NULL,
  at INTEGER NOT NULL,
  endedAt INTEGER,
  failure TEXT
) STRICT;
CREATE UNIQUE INDEX undosUnfinished ON undos (conversationId) WHERE endedAt IS NULL AND conversationId IS NOT NULL;
CREATE INDEX undosByRun ON undos (runId);
