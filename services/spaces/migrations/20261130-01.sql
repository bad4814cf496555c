CREATE TABLE agents (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, title TEXT NOT NULL, persona TEXT NOT NULL,
  systemPrompt TEXT, skills TEXT NOT NULL, adapterId TEXT, modelId TEXT, effort TEXT, contextSize INTEGER,
  silenceTimeoutMinutes INTEGER, reportsTo TEXT REFERENCES agents (id), createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL, version INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE TABLE spaces (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, mode TEXT NOT NULL, repositories TEXT NOT NULL, agents TEXT NOT NULL,
  parentSpaceId TEXT REFERENCES spaces (id), mainConversationId TEXT NOT NULL, createdAt INTEGER NOT NULL,
  version INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE TABLE conversations (
  id TEXT PRIMARY KEY, spaceId TEXT NOT NULL REFERENCES spaces (id), kind TEXT NOT NULL, parentMessageId TEXT,
  title TEXT NOT NULL, createdAt INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE INDEX conversationsBySpace ON conversations (spaceId, id);
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
  conversationId TEXT NOT NULL REFERENCES conversations (id), author TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
  data TEXT NOT NULL, mentions TEXT NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
  version INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE INDEX messagesByConversation ON messages (conversationId, seq);
CREATE TABLE projects (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, createdAt INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE TABLE teams (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, members TEXT NOT NULL, projectId TEXT REFERENCES projects (id),
  createdAt INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE TABLE tickets (
  id TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, title TEXT NOT NULL, description TEXT NOT NULL,
  status TEXT NOT NULL, priority TEXT NOT NULL, assignee TEXT, parentId TEXT REFERENCES tickets (id),
  spaceId TEXT REFERENCES spaces (id), projectId TEXT REFERENCES projects (id), labels TEXT NOT NULL,
  provenance TEXT NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, version INTEGER NOT NULL,
  key TEXT UNIQUE
) STRICT;
CREATE INDEX ticketsByParent ON tickets (parentId);
CREATE INDEX ticketsByProject ON tickets (projectId);
CREATE TABLE ticketLinks (
  id TEXT PRIMARY KEY, fromId TEXT NOT NULL REFERENCES tickets (id), toId TEXT NOT NULL REFERENCES tickets (id),
  kind TEXT NOT NULL, createdAt INTEGER NOT NULL, createdBy TEXT NOT NULL, UNIQUE (kind, fromId, toId)
) STRICT;
CREATE INDEX ticketLinksByTarget ON ticketLinks (toId);
CREATE TABLE ticketComments (
  id TEXT PRIMARY KEY, ticketId TEXT NOT NULL REFERENCES tickets (id), author TEXT NOT NULL, body TEXT NOT NULL,
  createdAt INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE INDEX ticketCommentsByTicket ON ticketComments (ticketId, id);
CREATE TABLE approvals (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, requester TEXT NOT NULL, subject TEXT NOT NULL, arguments TEXT NOT NULL,
  digest TEXT NOT NULL, status TEXT NOT NULL, decidedBy TEXT, decidedAt INTEGER, decision TEXT, runId TEXT,
  spaceId TEXT REFERENCES spaces (id), conversationId TEXT REFERENCES conversations (id), createdAt INTEGER NOT NULL,
  key TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX approvalsByStatus ON approvals (status, id);
CREATE INDEX approvalsByRun ON approvals (runId);
