-- Names one write of a ticket, so that what follows in its batch can tell whether it took place.
ALTER TABLE tickets ADD COLUMN changeId TEXT;
CREATE TABLE ticketDelegations (
  id TEXT PRIMARY KEY, ticketId TEXT NOT NULL REFERENCES tickets (id), number INTEGER NOT NULL,
  agentId TEXT NOT NULL REFERENCES agents (id), delegatedBy TEXT NOT NULL, runId TEXT, fromConversationId TEXT,
  originRunId TEXT, chain TEXT NOT NULL, depth INTEGER NOT NULL CHECK (depth BETWEEN 1 AND 3),
  conversationId TEXT REFERENCES conversations (id), createdAt INTEGER NOT NULL, beganAt INTEGER, withdrawnAt INTEGER,
  endedAt INTEGER, outcome TEXT CHECK (outcome IN ('completed', 'failed', 'cancelled')), resultCommentId TEXT,
  closing TEXT, UNIQUE (ticketId, number)
) STRICT;
CREATE INDEX ticketDelegationsByOrigin ON ticketDelegations (originRunId) WHERE originRunId IS NOT NULL;
CREATE INDEX ticketDelegationsByRun ON ticketDelegations (runId) WHERE runId IS NOT NULL;
CREATE INDEX ticketDelegationsByClosing ON ticketDelegations (closing) WHERE closing IS NOT NULL;
CREATE INDEX ticketsByAssignee ON tickets (assignee);
