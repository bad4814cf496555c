CREATE TABLE workspaces (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('creating', 'ready')),
  createdAt INTEGER NOT NULL, createdBy TEXT NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE TABLE members (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('owner', 'operator', 'viewer')),
  createdAt INTEGER NOT NULL
) STRICT;
CREATE TABLE tokens (
  id TEXT PRIMARY KEY, memberId TEXT NOT NULL REFERENCES members (id), digest TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  createdAt INTEGER NOT NULL
) STRICT;
