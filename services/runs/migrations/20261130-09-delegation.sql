-- The run from which this one goes on without being its sub-agent: that delegated its ticket, or asked what was decided.
ALTER TABLE runs ADD COLUMN causeRunId TEXT;
