ALTER TABLE spaces ADD COLUMN autonomy TEXT NOT NULL DEFAULT 'actWithApproval'
  CHECK (autonomy IN ('proposeOnly', 'actWithApproval', 'actFreely'));
ALTER TABLE spaces ADD COLUMN whenNobody TEXT NOT NULL DEFAULT 'refuse' CHECK (whenNobody IN ('refuse', 'wait'));
CREATE TABLE guardrailRules (
  id TEXT PRIMARY KEY, scope TEXT NOT NULL CHECK (scope IN ('workspace', 'agent', 'space')), scopeId TEXT,
  effect TEXT NOT NULL, action TEXT NOT NULL CHECK (action IN ('allow', 'ask', 'deny')), setBy TEXT NOT NULL,
  setAt INTEGER NOT NULL, CHECK ((scope = 'workspace') = (scopeId IS NULL))
) STRICT;
CREATE UNIQUE INDEX guardrailRulesByEffect ON guardrailRules (scope, ifnull(scopeId, ''), effect);
ALTER TABLE approvals ADD COLUMN rootRunId TEXT;
ALTER TABLE approvals ADD COLUMN grant TEXT CHECK (grant IN ('once', 'run', 'rule'));
ALTER TABLE approvals ADD COLUMN unattendedAt INTEGER;
ALTER TABLE approvals ADD COLUMN consumedBy TEXT;
ALTER TABLE approvals ADD COLUMN closing TEXT;
CREATE INDEX approvalsByDigest ON approvals (digest);
CREATE INDEX approvalsByConsumer ON approvals (consumedBy) WHERE consumedBy IS NOT NULL;
CREATE INDEX approvalsByClosing ON approvals (closing) WHERE closing IS NOT NULL;
UPDATE approvals SET status = 'superseded' WHERE kind = 'plan_exit' AND status = 'pending' AND spaceId IS NOT NULL
  AND id <> (SELECT max(twin.id) FROM approvals twin WHERE twin.kind = 'plan_exit' AND twin.status = 'pending'
  AND twin.spaceId = approvals.spaceId);
CREATE UNIQUE INDEX approvalsOnePlanExit ON approvals (spaceId) WHERE kind = 'plan_exit' AND status = 'pending';
CREATE INDEX approvalsBySpace ON approvals (spaceId, kind);
CREATE INDEX messagesByApproval ON messages (json_extract(data, '$.approvalId'))
  WHERE json_extract(data, '$.approvalId') IS NOT NULL;
