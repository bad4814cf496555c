-- The runs of an agent, the newest first, a page at a time.
CREATE INDEX runsByAgentNewest ON runs (agentId, id);
