-- The bytes are in files; a row without a message is what somebody has not sent yet.
CREATE TABLE attachments (
  id TEXT PRIMARY KEY, conversationId TEXT NOT NULL REFERENCES conversations (id), author TEXT NOT NULL,
  name TEXT NOT NULL, mediaType TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL, createdAt INTEGER NOT NULL,
  messageId TEXT REFERENCES messages (id), key TEXT UNIQUE
) STRICT;
CREATE INDEX attachmentsUnsent ON attachments (createdAt) WHERE messageId IS NULL;
-- As a message shows them: [{id, name, mediaType, size}].
ALTER TABLE messages ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]';
