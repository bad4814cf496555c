import type { Statement } from '../../kit/database/database.ts';

/**
 * Events of every step whose state is not the one last told, for the end of a transition's batch: one statement covers
 * all that the transition changed, so no path can forget one. `runId` null covers the whole workspace.
 */
export function announceSteps(runId: string | null, at: number): Statement[] {
  const changed = `announced <> state AND pipelineRunId = coalesce(?, pipelineRunId)`;
  return [
    {
      sql: `INSERT INTO events (at, actor, type, subject, data)
        SELECT ?, 'service:orchestration', 'step.' || CASE s.state WHEN 'running' THEN 'started' ELSE s.state END,
          s.pipelineRunId, json_object('orchestrationId', r.subject, 'key', s.key, 'state', s.state, 'attempt', s.attempt,
          'round', s.round, 'gate', s.gate, 'error', s.error)
        FROM (SELECT * FROM steps WHERE ${changed}) s JOIN pipelineRuns r ON r.id = s.pipelineRunId
        ORDER BY s.pipelineRunId, s.position`,
      args: [at, runId],
    },
    { sql: `UPDATE steps SET announced = state WHERE ${changed}`, args: [runId] },
  ];
}

/** `pipeline.<status>`, when the statement just before it in the batch changed the run's row. */
export function announceRun(runId: string, at: number): Statement {
  return {
    sql: `INSERT INTO events (at, actor, type, subject, data)
      SELECT ?, 'service:orchestration', 'pipeline.' || CASE status WHEN 'running' THEN 'started' ELSE status END, id,
        json_object('orchestrationId', subject, 'status', status)
      FROM pipelineRuns WHERE id = ? AND changes() > 0`,
    args: [at, runId],
  };
}
