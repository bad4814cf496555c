CREATE TABLE reviews (
  id TEXT PRIMARY KEY, repository TEXT NOT NULL COLLATE NOCASE, number INTEGER NOT NULL, url TEXT NOT NULL,
  spaceId TEXT NOT NULL REFERENCES spaces (id), title TEXT NOT NULL, description TEXT NOT NULL, author TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'merged')), draft INTEGER NOT NULL, baseRef TEXT NOT NULL,
  baseSha TEXT NOT NULL, mergeBaseSha TEXT NOT NULL, headRef TEXT NOT NULL, headSha TEXT NOT NULL, verdictId TEXT,
  openedBy TEXT NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, version INTEGER NOT NULL,
  key TEXT UNIQUE, UNIQUE (repository, number)
) STRICT;
CREATE INDEX reviewsBySpace ON reviews (spaceId);
CREATE TABLE reviewSnapshots (
  reviewId TEXT PRIMARY KEY REFERENCES reviews (id), headSha TEXT NOT NULL, files TEXT NOT NULL,
  filesComplete INTEGER NOT NULL, commits TEXT NOT NULL, checks TEXT
) STRICT;
CREATE TABLE reviewFindings (
  id TEXT PRIMARY KEY, reviewId TEXT NOT NULL REFERENCES reviews (id),
  type TEXT NOT NULL CHECK (type IN ('bug', 'suggestion', 'recommendation', 'question', 'ticket')),
  priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 3),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1), body TEXT NOT NULL, headSha TEXT NOT NULL, anchor TEXT,
  place TEXT, author TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('open', 'consensusReady')),
  confirmedBy TEXT NOT NULL, resolved TEXT, createdAt INTEGER NOT NULL, version INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE INDEX reviewFindingsByReview ON reviewFindings (reviewId, id);
CREATE TABLE reviewDropped (
  id TEXT PRIMARY KEY, reviewId TEXT NOT NULL REFERENCES reviews (id), author TEXT NOT NULL, reasons TEXT NOT NULL,
  createdAt INTEGER NOT NULL, key TEXT UNIQUE
) STRICT;
CREATE INDEX reviewDroppedByReview ON reviewDropped (reviewId);
CREATE TABLE reviewAxisLists (
  id INTEGER PRIMARY KEY CHECK (id = 1), axes TEXT NOT NULL, updatedAt INTEGER NOT NULL
) STRICT;
CREATE TABLE reviewAxisResults (
  reviewId TEXT NOT NULL REFERENCES reviews (id), axis TEXT NOT NULL, headSha TEXT NOT NULL,
  result TEXT NOT NULL CHECK (result IN ('pass', 'fail', 'partial', 'unavailable')), note TEXT NOT NULL,
  givenBy TEXT NOT NULL, givenAt INTEGER NOT NULL, PRIMARY KEY (reviewId, axis)
) STRICT;
CREATE TABLE reviewVerdicts (
  id TEXT PRIMARY KEY, reviewId TEXT NOT NULL REFERENCES reviews (id), headSha TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('ship', 'hold', 'block')), base TEXT NOT NULL, confidence REAL NOT NULL,
  digest TEXT NOT NULL, findings TEXT NOT NULL, axes TEXT NOT NULL, dropped INTEGER NOT NULL, summary TEXT NOT NULL,
  messageId TEXT NOT NULL, finalizedBy TEXT NOT NULL, createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX reviewVerdictsByReview ON reviewVerdicts (reviewId, id);
CREATE TABLE reviewPublications (
  id TEXT PRIMARY KEY, reviewId TEXT NOT NULL REFERENCES reviews (id),
  verdictId TEXT NOT NULL UNIQUE REFERENCES reviewVerdicts (id), headSha TEXT NOT NULL,
  state TEXT NOT NULL CHECK
    (state IN ('asked', 'pending', 'published', 'denied', 'refused', 'superseded', 'stale', 'failed')),
  reason TEXT NOT NULL, requestedBy TEXT NOT NULL, approvalId TEXT, attemptedAt INTEGER, fault TEXT, providerId TEXT,
  providerUrl TEXT, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL
) STRICT;
CREATE INDEX reviewPublicationsByState ON reviewPublications (state);
