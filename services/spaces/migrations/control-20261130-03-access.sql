ALTER TABLE members ADD COLUMN removedAt INTEGER;
ALTER TABLE sessions ADD COLUMN browser TEXT;
ALTER TABLE sessions ADD COLUMN system TEXT;
CREATE INDEX sessions_by_member ON sessions (memberId);
ALTER TABLE tokens ADD COLUMN key TEXT;
ALTER TABLE tokens ADD COLUMN lastUsedAt INTEGER;
ALTER TABLE tokens ADD COLUMN isOwnerFile INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX tokens_by_key ON tokens (memberId, key);
UPDATE tokens SET isOwnerFile = 1;
