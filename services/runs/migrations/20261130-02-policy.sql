-- Approvals of calls whose input is not shown as it is are bound to the exact input by a hash under this key.
CREATE TABLE runKeys (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
INSERT INTO runKeys VALUES ('call', lower(hex(randomblob(32))));
