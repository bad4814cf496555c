ALTER TABLE orchestrations ADD COLUMN kind TEXT NOT NULL DEFAULT 'orchestration';
ALTER TABLE orchestrations ADD COLUMN changesRequestedRevision INTEGER;
ALTER TABLE orchestrations ADD COLUMN changesRequestedReason TEXT;
ALTER TABLE orchestrations ADD COLUMN spaceReturned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orchestrations ADD COLUMN spaceReturnVersion INTEGER;
CREATE INDEX orchestrationsKind ON orchestrations (kind, id);
-- Plan documents could not be approved, and the agents' names are not in these tables: they are kept as ended ones.
INSERT INTO orchestrations (
  id, kind, key, goal, status, revision, publishedRevision, proposedBy, runId, spaceId, conversationId, messageId,
  budgetMicros, tokens, failureCode, failureMessage, settled, createdAt, updatedAt
) SELECT
  id, 'plan', NULL, goal, 'cancelled', 1, 1, proposedBy, runId, spaceId, conversationId, messageId,
  5000000, '{"input":0,"output":0,"cacheRead":0,"cacheWrite":0}', 'not_carried_over',
  'This plan is from before plans could be approved. Submit it again to have it done.', 1, createdAt, createdAt
FROM plans;
INSERT INTO revisions (orchestrationId, revision, key, author, origin, proposal, createdAt)
SELECT id, 1, NULL, proposedBy, 'proposed', json_object(
  'goal', goal,
  'roles', json_array(json_object('key', 'agent', 'title', proposedBy, 'agent', json_object('existing', proposedBy))),
  'research', NULL,
  'discussion', NULL,
  'tickets', (
    SELECT json_group_array(json_object(
      'key', json_extract(node.value, '$.key'),
      'title', json_extract(node.value, '$.title'),
      'description', json_extract(node.value, '$.description'),
      'role', 'agent',
      'needs', json(coalesce(json_extract(node.value, '$.needs'), '[]')),
      'outputSchema', NULL,
      'references', json('[]')
    )) FROM json_each(plans.nodes) AS node
  ),
  'synthesis', json_object('role', 'agent', 'brief', 'Say what was done and what is left open.'),
  'budgetMicros', 5000000
), createdAt FROM plans;
