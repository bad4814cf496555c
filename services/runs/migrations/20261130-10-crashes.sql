-- How often a server went down while the run was live is counted against the entries of its journal.
ALTER TABLE runs RENAME COLUMN crashAnswers TO crashEntries;
