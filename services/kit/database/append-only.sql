ALTER TABLE events ADD COLUMN source TEXT;
CREATE TRIGGER eventsAreNotChanged BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
CREATE TRIGGER eventsAreNotRemoved BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
CREATE TRIGGER eventsAreNotReplaced BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM events WHERE seq = NEW.seq) BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
